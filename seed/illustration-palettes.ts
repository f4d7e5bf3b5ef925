/** Colors of one brand: a pale room, a lighter backdrop, the object's body, its art and its ink. */
export interface Palette {
  readonly room: string;
  readonly backdrop: string;
  readonly body: string;
  readonly art: readonly [string, string, string];
  readonly paper: string;
  readonly ink: string;
}

function palette(
  room: string,
  backdrop: string,
  body: string,
  art: readonly [string, string, string],
  paper: string,
  ink: string,
): Palette {
  return { room, backdrop, body, art, paper, ink };
}

export const palettes: readonly Palette[] = [
  palette('#f6e7d8', '#f0c9a6', '#2f4b46', ['#d9663b', '#f2b35d', '#3f7d6e'], '#fff8ee', '#1f2f2c'),
  palette('#e3eef0', '#b9d8dc', '#1d4e5f', ['#ef8f6b', '#f7d08a', '#2f8f9d'], '#fbfaf4', '#12303b'),
  palette('#efe6f3', '#d6bfe3', '#4b2e63', ['#e58ab0', '#f5c06b', '#7a5aa6'], '#fdf7fb', '#2d1b3d'),
  palette('#e9f0de', '#c5d9a4', '#3c5a2c', ['#e0a13c', '#8fb34a', '#d65a4a'], '#fbfaef', '#24361b'),
  palette('#fbe4e1', '#f4b9b2', '#7c2f3d', ['#e4572e', '#f6a96c', '#a83f5b'], '#fff6f1', '#43171f'),
  palette('#e4e8f5', '#b8c4e8', '#2b3a72', ['#f0b849', '#6f8de0', '#e06c75'], '#f9faff', '#1a2347'),
  palette('#f3ecd9', '#e3cf95', '#6b4a1f', ['#c8862b', '#6f8f5a', '#b5502f'], '#fffaea', '#3a2810'),
  palette('#dff0e8', '#a9dcc5', '#14564a', ['#ff9f68', '#3fae8b', '#f4d35e'], '#f8fdf9', '#0c352e'),
  palette('#f0e9e4', '#d4c1b3', '#3d3431', ['#c4573a', '#e2b48a', '#7a8f86'], '#fdfaf6', '#26201e'),
  palette('#ffeccf', '#ffd08a', '#c2541d', ['#1f7a8c', '#f25f3a', '#ffe08a'], '#fffaf0', '#5a260c'),
  palette('#e6e9ea', '#bfc8cc', '#22333b', ['#d8a048', '#5b8e7d', '#c65f46'], '#f9f8f5', '#131e23'),
  palette('#fae3ef', '#f1b6d3', '#8a2a63', ['#ff8552', '#ffc8dd', '#5f4bb6'], '#fff7fb', '#4b1436'),
  palette('#e0f1f7', '#a5d9ec', '#0f5c8c', ['#ffb627', '#43aadb', '#ff6f59'], '#f6fcff', '#08324d'),
  palette('#eeeadf', '#cfd1a8', '#4a5240', ['#b9703f', '#9aa35a', '#dcb15a'], '#fbf9f1', '#2c3127'),
];
