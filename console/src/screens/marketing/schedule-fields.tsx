import { ActionIcon, Button, Chip, Group, Input, Stack, TextInput } from '@mantine/core';
import { t } from '../../words/words.ts';
import '@mantine/core/styles/Chip.css';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ScheduleWindow } from './discount-draft.ts';
import classes from './marketing.module.css';

const days = [t`Mon`, t`Tue`, t`Wed`, t`Thu`, t`Fri`, t`Sat`, t`Sun`] as const;

/** Happy hours: weekdays and hours in shop time. Hours that end before they start continue into the next day. */
export function ScheduleFields({
  schedule,
  onChange,
}: {
  schedule: readonly ScheduleWindow[];
  onChange: (schedule: ScheduleWindow[]) => void;
}) {
  const change = (index: number, changes: Partial<ScheduleWindow>) =>
    onChange(schedule.map((window, at) => (at === index ? { ...window, ...changes } : window)));
  return (
    <Input.Wrapper label={t`Days and hours`} labelElement="div">
      <Stack gap="sm" mt={4}>
        {schedule.map((window, index) => (
          <fieldset
            // biome-ignore lint/suspicious/noArrayIndexKey: windows have no id
            key={index}
            className={classes.window}
            aria-label={t`Hours ${index + 1}`}
          >
            <Chip.Group
              multiple
              value={window.days.map(String)}
              onChange={(chosen) => change(index, { days: chosen.map(Number).sort() })}
            >
              <Group gap={4}>
                {days.map((day, at) => (
                  <Chip key={day} value={String(at + 1)} size="xs">
                    {day}
                  </Chip>
                ))}
              </Group>
            </Chip.Group>
            <Group gap="sm">
              <TextInput
                type="time"
                aria-label={t`From`}
                className="numbers"
                value={window.from}
                onChange={(event) => change(index, { from: event.currentTarget.value })}
              />
              <span aria-hidden>–</span>
              <TextInput
                type="time"
                aria-label={t`To (midnight is the end of the day)`}
                className="numbers"
                // A time input has no 24:00.
                value={window.to === '24:00' ? '00:00' : window.to}
                onChange={(event) => change(index, { to: endOf(event.currentTarget.value) })}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                size={36}
                aria-label={t`Remove hours ${index + 1}`}
                onClick={() => onChange(schedule.filter((_, at) => at !== index))}
              >
                <IconTrash size={18} />
              </ActionIcon>
            </Group>
          </fieldset>
        ))}
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => onChange([...schedule, { days: [1, 2, 3, 4, 5], from: '16:00', to: '18:00' }])}
          >
            {schedule.length === 0 ? t`Only at certain hours` : t`More hours`}
          </Button>
        </Group>
      </Stack>
    </Input.Wrapper>
  );
}

function endOf(time: string): string {
  return time === '00:00' ? '24:00' : time;
}
