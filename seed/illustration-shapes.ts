import { drawLabel } from './illustration-motifs.ts';
import type { Palette } from './illustration-palettes.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { IllustrationShape } from './shop-content.ts';

/** Draws one object standing on the line y = 490 of a 600 by 600 scene. */
type Shape = (random: SeededRandom, palette: Palette) => string;

const budGreens = ['#7f9c4f', '#94ae5e', '#6a8a48', '#a5b878', '#75875a'];

function rectangle(
  x: number,
  y: number,
  width: number,
  height: number,
  radius: number,
  fill: string,
  rest = '',
): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"${rest}/>`;
}

const disc = (x: number, y: number, radius: number, fill: string): string =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`;

const oval = (x: number, y: number, width: number, height: number, fill: string): string =>
  `<ellipse cx="${x}" cy="${y}" rx="${width}" ry="${height}" fill="${fill}"/>`;

const path = (fill: string, d: string, rest = ''): string => `<path fill="${fill}" d="${d}"${rest}/>`;

const shine = (d: string): string => path('#fff', d, ' opacity=".28"');

/** The darker half that gives a flat body its volume. */
const shade = (d: string): string => path('#000', d, ' opacity=".12"');

function nug(random: SeededRandom, x: number, y: number, size: number): string {
  const green = random.pick(budGreens);
  const lobes = Array.from({ length: 5 }, (_, index) => {
    const angle = (index * 2 * Math.PI) / 5 + random.next();
    const lobeX = Math.round(x + Math.cos(angle) * size * 0.5);
    const lobeY = Math.round(y + Math.sin(angle) * size * 0.42);
    return `<circle cx="${lobeX}" cy="${lobeY}" r="${Math.round(size * 0.52)}"/>`;
  }).join('');
  const bend = Math.round(size * 0.3);
  const hairs = `<path d="M${x - bend} ${y}q${bend / 2}-${bend} ${bend}-${bend / 2}m4 ${bend}q4-${bend} ${bend}-${bend / 2}" fill="none" stroke="#d98a3d" stroke-width="3" stroke-linecap="round"/>`;
  return `<g fill="${green}">${lobes}</g>${disc(Math.round(x - size * 0.15), Math.round(y - size * 0.2), Math.round(size * 0.4), '#ffffff22')}${hairs}`;
}

const jar: Shape = (random, palette) =>
  rectangle(184, 196, 232, 294, 34, '#ffffff', ' opacity=".75"') +
  [0, 1, 2, 3, 4, 5, 6]
    .map((index) =>
      nug(random, 226 + (index % 4) * 50 + random.integer(-6, 6), 244 + Math.floor(index / 4) * 34, 30),
    )
    .join('') +
  rectangle(184, 300, 232, 150, 0, palette.paper) +
  drawLabel(random, palette, 196, 312, 208, 126) +
  path('#ffffff', 'M184 450h232v6a34 34 0 0 1-34 34H218a34 34 0 0 1-34-34z', ' opacity=".35"') +
  shade('M376 196h6a34 34 0 0 1 34 34v226a34 34 0 0 1-34 34h-6z') +
  shine('M200 226h14v232h-14z') +
  rectangle(172, 140, 256, 62, 14, palette.body) +
  shine('M186 152h228v8H186z');

const bud: Shape = (random, palette) => {
  const lobe = (x: number, y: number, size: number) => nug(random, x, y, size);
  return (
    `<ellipse cx="300" cy="470" rx="170" ry="32" fill="${palette.paper}"/><ellipse cx="300" cy="464" rx="150" ry="24" fill="${palette.art[1]}"/>` +
    path(palette.body, 'M292 470q-4-40 4-70l14 2q-8 34-4 68z') +
    lobe(300, 398, 78) +
    lobe(236, 372, 60) +
    lobe(364, 372, 60) +
    lobe(262, 306, 64) +
    lobe(340, 304, 64) +
    lobe(300, 240, 60) +
    lobe(302, 182, 40) +
    Array.from({ length: 26 }, () =>
      disc(random.integer(220, 380), random.integer(170, 430), random.integer(2, 4), '#fffbe6'),
    ).join('')
  );
};

const joint = (palette: Palette, turn: number, x: number): string =>
  `<g transform="translate(${x} 490) rotate(${turn})">${path('#f4ead6', 'M-9 0h18l9-236q-18-16-36 0z')}${path(palette.art[0], 'M-9 0h18l2-64h-22z')}${path('#7f9c4f', 'M-18-236q18-16 36 0l-4 10q-14-8-28 0z')}${shade('M2 0h7l9-236q-5-6-11-8z')}</g>`;

const preRoll: Shape = (random, palette) =>
  rectangle(190, 176, 96, 314, 18, '#ffffff', ' opacity=".7"') +
  `<g transform="translate(0 -20)">${joint(palette, 0, 238)}</g>` +
  rectangle(190, 300, 96, 150, 0, palette.paper) +
  drawLabel(random, palette, 198, 308, 80, 134) +
  shine('M200 200h10v272h-10z') +
  rectangle(182, 138, 112, 50, 12, palette.body) +
  shine('M192 148h92v7h-92z') +
  joint(palette, 16, 346);

const preRollPack: Shape = (random, palette) =>
  [-9, -4, 0, 5, 10].map((turn, index) => joint(palette, turn, 222 + index * 40)).join('') +
  rectangle(164, 330, 272, 160, 16, palette.body) +
  rectangle(164, 330, 272, 22, 10, palette.ink) +
  drawLabel(random, palette, 180, 364, 240, 112) +
  shine('M176 358h8v120h-8z');

const vape: Shape = (random, palette) =>
  rectangle(170, 190, 150, 300, 10, palette.body) +
  drawLabel(random, palette, 184, 204, 122, 190) +
  rectangle(204, 414, 82, 10, 5, palette.paper) +
  rectangle(204, 436, 54, 10, 5, palette.paper) +
  shade('M300 190h10a10 10 0 0 1 10 10v280a10 10 0 0 1-10 10h-10z') +
  path(palette.ink, 'M362 160q0-16 14-16h20q14 0 14 16l8 70h-64z') +
  rectangle(354, 226, 64, 18, 4, '#c9ced2') +
  rectangle(356, 244, 60, 150, 6, '#ffffff', ' opacity=".8"') +
  rectangle(362, 270, 48, 120, 4, '#e8a33a') +
  rectangle(362, 270, 16, 120, 4, '#f6c565') +
  rectangle(380, 246, 12, 146, 3, '#c9ced2') +
  rectangle(354, 392, 64, 58, 6, palette.art[0]) +
  rectangle(366, 450, 40, 40, 5, '#c9ced2') +
  shine('M364 396h8v52h-8z');

const concentrate: Shape = (random, palette) =>
  path('#e9a83c', 'M214 392q-8-40 34-50 20-34 58-18 46-16 62 22 34 14 22 46z') +
  path('#f7cd74', 'M240 372q10-22 36-22 16-16 36-8-40 6-72 30z') +
  rectangle(176, 386, 248, 104, 26, '#ffffff', ' opacity=".8"') +
  rectangle(192, 386, 216, 74, 20, '#d98f2b', ' opacity=".85"') +
  rectangle(176, 376, 248, 24, 10, '#ffffff') +
  `<g transform="rotate(14 420 330)">${oval(414, 300, 92, 92, palette.body)}${`<clipPath id="lid"><circle cx="414" cy="300" r="78"/></clipPath><g clip-path="url(#lid)">${drawLabel(random, palette, 336, 222, 156, 156)}</g>`}</g>` +
  shine('M192 408h12v64h-12z');

const gummy = (x: number, y: number, fill: string, turn: number): string =>
  `<g transform="translate(${x} ${y}) rotate(${turn})">${rectangle(-36, -36, 72, 72, 20, fill)}<path d="M-20-22h26" stroke="#fff" stroke-opacity=".55" stroke-width="8" stroke-linecap="round"/><path d="M-16 10h.1M8-4h.1M18 18h.1M-4 22h.1" stroke="#fff" stroke-opacity=".7" stroke-width="5" stroke-linecap="round"/></g>`;

const gummies: Shape = (random, palette) => {
  const fill = () => random.pick([palette.art[0], palette.art[0], palette.art[1]]);
  const piece = (x: number, y: number) => gummy(x, y, fill(), random.integer(-24, 24));
  return (
    rectangle(196, 132, 208, 340, 14, palette.body) +
    drawLabel(random, palette, 214, 150, 172, 176) +
    shade('M376 132h14a14 14 0 0 1 14 14v312a14 14 0 0 1-14 14h-14z') +
    piece(250, 376) +
    piece(346, 380) +
    piece(298, 402) +
    piece(190, 452) +
    piece(262, 454) +
    piece(336, 452) +
    piece(412, 454)
  );
};

const pouchBody = (random: SeededRandom, palette: Palette, labelHeight: number): string =>
  path(palette.body, 'M190 130h220l14 330q-4 30-34 30H210q-30 0-34-30z') +
  rectangle(190, 130, 220, 26, 4, palette.ink) +
  drawLabel(random, palette, 204, 184, 192, labelHeight) +
  shade('M380 156h31l13 304q-4 30-34 30z') +
  shine('M200 170h10l-6 280h-12z');

const pouch: Shape = (random, palette) =>
  pouchBody(random, palette, 170) +
  gummy(244, 420, palette.art[1], -10) +
  gummy(346, 424, palette.art[0], 14);

const bag: Shape = (random, palette) =>
  pouchBody(random, palette, 216) +
  rectangle(204, 424, 192, 12, 6, palette.paper) +
  rectangle(204, 450, 120, 12, 6, palette.paper);

const chocolate: Shape = (random, palette) => {
  const square = (index: number) => {
    const x = 208 + (index % 3) * 62;
    const y = 132 + Math.floor(index / 3) * 58;
    return (
      rectangle(x, y, 58, 54, 6, '#6b4028') +
      rectangle(x + 8, y + 8, 42, 38, 4, '#7e4e33') +
      path('#fff', `M${x + 8} ${y + 8}h42l-8 8h-26z`, ' opacity=".18"')
    );
  };
  return (
    rectangle(202, 126, 196, 220, 8, '#54301d') +
    [0, 1, 2, 3, 4, 5, 6, 7, 8].map(square).join('') +
    path('#e9e4da', 'M190 300l20-18 20 18 20-18 20 18 20-18 20 18 20-18 20 18 20-18 20 18 20-18v208H190z') +
    rectangle(182, 318, 236, 172, 6, palette.body) +
    drawLabel(random, palette, 196, 332, 208, 144) +
    shine('M188 322h8v164h-8z')
  );
};

const can: Shape = (random, palette) =>
  path('#c9ced2', 'M214 150h172l14 34H200z') +
  rectangle(210, 138, 180, 16, 8, '#e4e7ea') +
  rectangle(200, 180, 200, 284, 8, palette.body) +
  drawLabel(random, palette, 200, 204, 200, 212) +
  path('#c9ced2', 'M200 462h200l-16 28H216z') +
  shade('M360 180h32a8 8 0 0 1 8 8v276h-40z') +
  shine('M216 182h16v280h-16z') +
  oval(300, 146, 26, 4, '#9aa2a8');

const dropper: Shape = (random, palette) =>
  path(palette.ink, 'M274 92q26-22 52 0l8 74h-68z') +
  rectangle(254, 160, 92, 44, 8, palette.body) +
  rectangle(290, 204, 20, 160, 8, '#ffffff', ' opacity=".6"') +
  path('#b5712a', 'M262 204h76v26q58 14 58 62v164q0 34-34 34H238q-34 0-34-34V292q0-48 58-62z') +
  path('#8f551c', 'M204 330h192v126q0 34-34 34H238q-34 0-34-34z') +
  rectangle(204, 300, 192, 150, 0, palette.paper) +
  drawLabel(random, palette, 204, 312, 192, 126) +
  shade('M362 252q34 14 34 44v160q0 34-34 34z') +
  shine('M218 296q2-28 16-34v216q-16-6-16-26z');

const balm: Shape = (random, palette) =>
  rectangle(160, 400, 280, 90, 22, palette.body) +
  rectangle(160, 386, 280, 30, 12, palette.paper) +
  shade('M384 386h44a12 12 0 0 1 12 12v70a22 22 0 0 1-22 22h-34z') +
  oval(300, 272, 132, 132, palette.body) +
  `<clipPath id="lid"><circle cx="300" cy="272" r="114"/></clipPath><g clip-path="url(#lid)">${drawLabel(random, palette, 186, 158, 228, 228)}</g>` +
  `<path d="M214 214q22-44 66-58" fill="none" stroke="#fff" stroke-opacity=".5" stroke-width="12" stroke-linecap="round"/>`;

/** A palmate leaf of five fingers pointing up from where the stalk ends. */
const fan = (x: number, y: number, size: number, turn: number, fill: string): string =>
  `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${size})" fill="${fill}">${[-100, -52, 0, 52, 100]
    .map(
      (angle, index) =>
        `<path transform="rotate(${angle}) scale(${[0.62, 0.86, 1, 0.86, 0.62][index]})" d="M0 0q-22-40 0-96 22 56 0 96"/>`,
    )
    .join('')}</g>`;

const clone: Shape = (random, palette) => {
  const greens = random.shuffle(['#5f8f46', '#78a856', '#4c7c43', '#8fb866']);
  return (
    `<path d="M300 380q${random.integer(-10, 10)}-110 0-220" fill="none" stroke="#5b7d3b" stroke-width="10"/>` +
    fan(298, 322, 0.95, -64, greens[0] as string) +
    fan(302, 316, 0.95, 64, greens[1] as string) +
    fan(298, 254, 0.9, -44, greens[2] as string) +
    fan(302, 248, 0.9, 44, greens[3] as string) +
    fan(300, 206, 0.95, random.integer(-6, 6), greens[1] as string) +
    oval(300, 372, 104, 18, '#4a3628') +
    path(palette.body, 'M192 372q108 34 216 0l-22 104q-4 14-20 14H234q-16 0-20-14z') +
    path(palette.art[0], 'M200 412q100 30 200 0l-6 28q-94 28-188 0z') +
    shade('M362 380q24-3 46-8l-22 104q-4 14-20 14h-24z')
  );
};

const grinder: Shape = (random, palette) =>
  rectangle(196, 330, 208, 160, 16, palette.body) +
  rectangle(196, 392, 208, 12, 0, palette.ink) +
  Array.from({ length: 12 }, (_, index) =>
    rectangle(206 + index * 16, 412, 6, 64, 3, '#ffffff', ' opacity=".14"'),
  ).join('') +
  oval(300, 330, 104, 26, palette.ink) +
  Array.from({ length: 7 }, (_, index) => disc(228 + index * 24, 326 + (index % 2) * 8, 6, '#d7dbde')).join(
    '',
  ) +
  `<g transform="rotate(-18 300 220)">${rectangle(190, 190, 220, 62, 14, palette.art[0])}${oval(300, 190, 110, 28, palette.art[1])}<clipPath id="lid"><ellipse cx="300" cy="190" rx="92" ry="22"/></clipPath><g clip-path="url(#lid)">${drawLabel(random, palette, 208, 164, 184, 52)}</g></g>`;

const papers: Shape = (random, palette) =>
  path('#f6efdf', 'M222 150h180v150H222z') +
  path('#efe5cd', 'M206 170h180v150H206z') +
  path('#fbf6ea', 'M190 190h180v150H190z') +
  rectangle(150, 292, 300, 198, 10, palette.body) +
  drawLabel(random, palette, 166, 308, 268, 134) +
  rectangle(166, 456, 268, 18, 4, palette.art[1]);

const pipe: Shape = (random, palette) =>
  path(
    palette.art[2],
    'M140 440q0-66 70-66h176q22 0 30-22l16-40 32 12-14 52q-12 50-64 50H240q0 64-50 64t-50-50z',
  ) +
  oval(190, 376, 58, 18, palette.ink) +
  oval(190, 372, 44, 11, '#7f9c4f') +
  path(palette.art[0], 'M260 374h26v52h-26z') +
  path(palette.art[1], 'M300 374h12v52h-12z') +
  path(palette.art[0], 'M326 374h26v52h-26z') +
  `<path d="M160 430q2 36 30 40" fill="none" stroke="#fff" stroke-opacity=".45" stroke-width="10" stroke-linecap="round"/>` +
  Array.from({ length: 6 }, () =>
    disc(random.integer(150, 225), random.integer(404, 460), random.integer(4, 8), palette.art[1]),
  ).join('') +
  `<path d="M190 340q-26-36 6-70t0-76" fill="none" stroke="#fff" stroke-opacity=".7" stroke-width="12" stroke-linecap="round"/>`;

const tray: Shape = (random, palette) =>
  `<g transform="rotate(-8 300 330)">${rectangle(110, 190, 380, 270, 34, palette.body)}${rectangle(128, 208, 344, 234, 22, palette.ink)}${drawLabel(random, palette, 138, 218, 324, 214)}${shine('M130 200h340v8H130z')}</g>`;

const lighter: Shape = (random, palette) =>
  rectangle(236, 250, 128, 240, 18, palette.body) +
  drawLabel(random, palette, 248, 290, 104, 170) +
  rectangle(244, 206, 112, 48, 6, '#c9ced2') +
  disc(278, 200, 24, '#8a9298') +
  disc(278, 200, 12, '#656d73') +
  rectangle(306, 186, 42, 26, 6, palette.art[0]) +
  path('#f5a623', 'M330 176q-34-34 2-92 34 56 14 90z') +
  path('#ffe08a', 'M334 174q-14-18 2-48 14 28 6 46z') +
  shine('M246 262h10v216h-10z');

const carryCase: Shape = (random, palette) =>
  `<path d="M250 216v-34q0-24 24-24h52q24 0 24 24v34" fill="none" stroke="${palette.ink}" stroke-width="16"/>` +
  rectangle(130, 210, 340, 280, 30, palette.body) +
  rectangle(130, 300, 340, 10, 0, palette.ink) +
  drawLabel(random, palette, 176, 330, 248, 132) +
  rectangle(282, 286, 36, 44, 8, palette.art[1]) +
  shade('M420 210h20a30 30 0 0 1 30 30v220a30 30 0 0 1-30 30h-20z');

const tee: Shape = (random, palette) =>
  path(palette.body, 'M220 150l-118 74 44 84 52-26v208h204V282l52 26 44-84-118-74q-80 56-160 0z') +
  path('#000', 'M220 150q80 56 160 0l18 12q-98 72-196 0z', ' opacity=".2"') +
  drawLabel(random, palette, 242, 264, 116, 128);

const cap: Shape = (random, palette) =>
  path(palette.body, 'M152 400q0-190 150-190t150 190z') +
  path(palette.ink, 'M152 396q150-44 300 0 66 12 78 44-196-34-378 2-24-20 0-46z') +
  `<path d="M302 212q-66 60-66 172M302 212q66 60 66 172" fill="none" stroke="#000" stroke-opacity=".18" stroke-width="4"/>` +
  disc(302, 208, 12, palette.art[0]) +
  drawLabel(random, palette, 258, 268, 88, 88);

const tote: Shape = (random, palette) =>
  `<path d="M232 250V170q0-62 68-62t68 62v80" fill="none" stroke="${palette.body}" stroke-width="18"/>` +
  path(palette.paper, 'M168 230h264l22 244q0 16-18 16H164q-18 0-18-16z') +
  path(palette.body, 'M168 230h264l3 30H165z') +
  drawLabel(random, palette, 206, 290, 188, 166) +
  shade('M396 230h36l22 244q0 16-18 16h-26z');

const sock = (palette: Palette): string =>
  path(palette.body, 'M0 0h92v190q0 30 26 44l46 24q26 18 10 44H56q-56-4-56-66z') +
  path(palette.art[0], 'M0 0h92v34H0z') +
  path(palette.art[1], 'M0 52h92v16H0zM0 84h92v16H0z') +
  path(palette.art[2], 'M128 302q-2-30 28-48l8 4q26 18 10 44zM0 218q36 0 40 76-40-12-40-58z');

const socks: Shape = (random, palette) =>
  `<g transform="translate(322 170) rotate(8)">${sock(palette)}</g><g transform="translate(166 182)">${sock(palette)}${drawLabel(random, palette, 18, 116, 56, 64)}</g>`;

const gift: Shape = (random, palette) =>
  rectangle(164, 290, 272, 200, 8, palette.body) +
  drawLabel(random, palette, 164, 300, 272, 190) +
  rectangle(148, 250, 304, 56, 8, palette.body) +
  rectangle(276, 250, 48, 240, 0, palette.paper) +
  path(palette.art[0], 'M300 250q-96 8-110-44t52-48q40 6 58 92zM300 250q96 8 110-44t-52-48q-40 6-58 92z') +
  path(palette.ink, 'M300 250q-56-6-66-34t30-20 36 54zM300 250q56-6 66-34t-30-20-36 54z', ' opacity=".35"');

export const shapes: Readonly<Record<IllustrationShape, Shape>> = {
  jar,
  bud,
  'pre-roll': preRoll,
  'pre-roll-pack': preRollPack,
  vape,
  concentrate,
  gummies,
  chocolate,
  pouch,
  bag,
  can,
  dropper,
  balm,
  clone,
  grinder,
  papers,
  pipe,
  tray,
  lighter,
  case: carryCase,
  tee,
  cap,
  tote,
  socks,
  gift,
};
