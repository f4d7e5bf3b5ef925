import { Group, Text } from '@mantine/core';
import type { Schema } from '../../api.ts';
import { SectionCard } from '../../parts/section-card.tsx';
import { plural, t } from '../../words/words.ts';
import { orderTitle } from '../orders/order-words.ts';
import type { DeliveryGroup } from './delivery-groups.ts';
import classes from './dispatch.module.css';
import { flatMap, mapHeight, mapWidth, scaleMiles, spread } from './map-points.ts';
import type { Board, Delivery, Trip } from './trips-query.ts';

type Area = NonNullable<Schema['Delivery']['area']>;
type Placed = Delivery & { readonly area: Area };

const colors = [
  'blue',
  'orange',
  'teal',
  'grape',
  'red',
  'lime',
  'indigo',
  'pink',
  'cyan',
  'yellow',
] as const;
const colorOf = (index: number) => `var(--mantine-color-${colors[index % colors.length]}-8)`;
const isPlaced = (delivery: Delivery): delivery is Placed => delivery.area !== null;

/**
 * Where deliveries, trips and drivers are, drawn without a map service: each delivery in the middle of its ZIP code's area. The lists say
 * the same.
 */
export function DispatchMap({ board, groups }: { board: Board; groups: readonly DeliveryGroup[] }) {
  const trips = board.trips.filter(({ status }) => status !== 'closed');
  const all: readonly Delivery[] = [...board.waiting, ...trips.flatMap(({ stops }) => stops)];
  const placed = all.filter(isPlaced);
  const missing = all.length - placed.length;
  if (placed.length === 0) return null;
  const places = [...placed.map(({ area }) => area), ...board.positions, ...(board.shop ? [board.shop] : [])];
  const map = flatMap(places);
  const groupAt = (orderId: string) =>
    groups.findIndex(({ deliveries }) => deliveries.some((it) => it.orderId === orderId));
  // The shop, waiting ones and stops share their areas, so they are spread together, the shop in the middle.
  const [shop, ...points] = spread([
    { delivery: null, ...map.at(board.shop ?? placed[0]!.area) },
    ...placed.map((delivery) => ({ delivery, ...map.at(delivery.area) })),
  ]);
  const pointOf = ({ orderId }: Delivery) => points.find(({ delivery }) => delivery?.orderId === orderId);
  return (
    <SectionCard
      title={t`Map`}
      hint={t`About where deliveries go, by their ZIP codes. Nothing is asked of a map service.`}
    >
      <svg
        className={classes.map}
        viewBox={`0 0 ${mapWidth} ${mapHeight}`}
        role="img"
        aria-label={t`Map of the deliveries, the trips and the drivers`}
      >
        <Scale pixelsPerMile={map.pixelsPerMile} />
        {trips.map((trip, index) => (
          <Way
            key={trip.id}
            trip={trip}
            color={colorOf(groups.length + index)}
            points={trip.stops.map(pointOf)}
          />
        ))}
        {board.waiting.map((delivery) => {
          const point = pointOf(delivery);
          if (point === undefined) return null;
          return (
            <circle
              key={delivery.orderId}
              cx={point.x}
              cy={point.y}
              r={6}
              style={{ fill: colorOf(groupAt(delivery.orderId)) }}
            >
              <title>{orderTitle({ number: delivery.orderNumber, id: delivery.orderId })}</title>
            </circle>
          );
        })}
        {board.shop !== null && shop && <Named x={shop.x} y={shop.y} name={t`Shop`} />}
        {board.positions.map((position) => {
          const driver = trips.find(({ id }) => id === position.tripId)?.driver;
          return (
            driver && <Named key={position.tripId} {...map.at(position)} name={driver.firstName} isRound />
          );
        })}
      </svg>
      <Group gap="md" mt="sm">
        {[
          ...groups.map(({ key, title }) => ({ key, title })),
          ...trips.map(({ id, driver }) => ({
            key: `trip ${id}`,
            title: t`Trip of ${driver.firstName} ${driver.lastName}`,
          })),
        ].map(({ key, title }, index) => (
          <Group key={key} gap={6} wrap="nowrap">
            <svg width={12} height={12} aria-hidden>
              <circle cx={6} cy={6} r={6} style={{ fill: colorOf(index) }} />
            </svg>
            <Text size="sm">{title}</Text>
          </Group>
        ))}
      </Group>
      {missing > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          {plural(missing, {
            one: t`1 delivery is not on the map: its ZIP code is not known.`,
            other: t`${missing} deliveries are not on the map: their ZIP codes are not known.`,
          })}
        </Text>
      )}
    </SectionCard>
  );
}

type Point = { readonly x: number; readonly y: number } | undefined;

/** A trip: its stops with their numbers, and the way between them as the crow flies. */
function Way({ trip, color, points }: { trip: Trip; color: string; points: readonly Point[] }) {
  const known = points.filter((point) => point !== undefined);
  return (
    <g>
      <polyline
        points={known.map(({ x, y }) => `${x},${y}`).join(' ')}
        style={{ stroke: color, fill: 'none', strokeWidth: 1.5, strokeDasharray: '4 3' }}
      />
      {trip.stops.map((stop, index) => {
        const point = points[index];
        if (point === undefined) return null;
        return (
          <g key={stop.id}>
            <circle cx={point.x} cy={point.y} r={8} style={{ fill: color }}>
              <title>{orderTitle({ number: stop.orderNumber, id: stop.orderId })}</title>
            </circle>
            <text className={classes.inDot} x={point.x} y={point.y + 3.5}>
              {index + 1}
            </text>
          </g>
        );
      })}
    </g>
  );
}

/** The shop, or a driver. */
function Named({ x, y, name, isRound = false }: { x: number; y: number; name: string; isRound?: boolean }) {
  const style = { fill: 'var(--mantine-color-text)', stroke: 'var(--mantine-color-body)', strokeWidth: 2 };
  return (
    <g>
      {isRound ? (
        <circle cx={x} cy={y} r={7} style={style} />
      ) : (
        <rect x={x - 7} y={y - 7} width={14} height={14} style={style} />
      )}
      <text className={classes.label} x={x} y={y - 11}>
        {name}
      </text>
    </g>
  );
}

function Scale({ pixelsPerMile }: { pixelsPerMile: number }) {
  const miles = scaleMiles(pixelsPerMile);
  const [x, y] = [mapWidth - 10, mapHeight - 8];
  return (
    <g>
      <path
        d={`M${x - miles * pixelsPerMile},${y} H${x}`}
        style={{ stroke: 'var(--mantine-color-dimmed)', strokeWidth: 2 }}
      />
      <text className={classes.label} x={x - (miles * pixelsPerMile) / 2} y={y - 6}>
        {plural(miles, { one: t`1 mile`, other: t`${miles} miles` })}
      </text>
    </g>
  );
}
