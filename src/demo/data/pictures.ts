const drawing = (content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 240" width="240" height="240"><rect width="240" height="240" fill="#f4f1ea"/>${content}</svg>`

const repeat = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join('')

const chip = `<g fill="#8d8d86">${repeat(8, (at) => `<path d="M${68 + at * 14} 44h6v152h-6zM44 ${68 + at * 14}h152v6H44z"/>`)}</g>
  <rect x="58" y="58" width="124" height="124" rx="6" fill="#2f3b45"/><circle cx="76" cy="76" r="6" fill="#f4f1ea"/>
  <text x="120" y="132" font-family="Noto Sans" font-size="28" text-anchor="middle" fill="#c9cfd2">NK32</text>`

const board = `<rect x="28" y="52" width="184" height="136" rx="8" fill="#22302c"/>
  <g fill="#c98a2b">${['40 64', '200 64', '40 176', '200 176'].map((at) => `<circle cx="${at.replace(' ', '" cy="')}" r="6"/>`).join('')}
  ${repeat(11, (at) => `<path d="M${62 + at * 11} 172h5v10h-5z"/>`)}</g>
  <rect x="92" y="86" width="56" height="56" rx="3" fill="#0f1513"/><rect x="162" y="92" width="30" height="22" rx="2" fill="#0f1513"/>
  <rect x="20" y="104" width="30" height="32" rx="4" fill="#b4b7b5"/>
  <g fill="#d8cdb4">${repeat(6, (at) => `<path d="M${64 + at * 20} 64h12v7h-12z"/>`)}${repeat(4, (at) => `<path d="M64 ${90 + at * 14}h12v7h-12z"/>`)}</g>`

/** The instrument, in a case and with knobs of these colors. */
const instrument = (wood: string, knob: string) => `<rect x="20" y="58" width="200" height="124" rx="12" fill="${wood}"/>
  <rect x="32" y="70" width="176" height="100" rx="4" fill="#2f3b45"/><rect x="42" y="80" width="52" height="30" rx="2" fill="#dff0f0"/>
  <g fill="${knob}">${repeat(6, (at) => `<circle cx="${116 + (at % 3) * 34}" cy="${84 + Math.floor(at / 3) * 24}" r="9"/>`)}</g>
  <g fill="#f4f1ea">${repeat(16, (at) => `<rect x="${42 + (at % 8) * 20}" y="${124 + Math.floor(at / 8) * 20}" width="16" height="15" rx="2"/>`)}</g>`

const socket = `<rect x="48" y="84" width="144" height="72" rx="36" fill="#b4b7b5"/><rect x="62" y="98" width="116" height="44" rx="22" fill="#2f3b45"/>
  <rect x="84" y="114" width="72" height="12" rx="3" fill="#c98a2b"/>`

/** Pictures of objects of the workshop, by URL: drawings in SVG. */
export const pictures = [
  {
    // a battery
    path: '/api/part/25/',
    drawing: drawing(`<rect x="106" y="28" width="28" height="16" fill="#8d8d86"/>
      <rect x="84" y="44" width="72" height="168" rx="8" fill="#2f3b45"/>
      <rect x="84" y="44" width="72" height="52" rx="8" fill="#c98a2b"/>
      <path d="M120 116v32M104 132h32" stroke="#f4f1ea" stroke-width="8"/>`),
  },
  { path: '/api/part/7/', drawing: drawing(chip) },
  { path: '/api/part/15/', drawing: drawing(socket) },
  { path: '/api/part/23/', drawing: drawing(board) },
  { path: '/api/part/41/', drawing: drawing(instrument('#8a5a3c', '#f0e6d2')) },
  { path: '/api/part/42/', drawing: drawing(instrument('#6b4530', '#f0e6d2')) },
  { path: '/api/part/43/', drawing: drawing(instrument('#c9a26b', '#a8452f')) },
  {
    // two letters
    path: '/api/company/1/',
    drawing: drawing(`<circle cx="120" cy="120" r="84" fill="#c98a2b"/>
      <path d="M88 76v88h30a22 22 0 0 0 0-44H88h26a22 22 0 0 0 0-44z" fill="none" stroke="#f4f1ea" stroke-width="12"/>
      <path d="M150 92l10 60 12-40 12 40 10-60" fill="none" stroke="#2f3b45" stroke-width="8"/>`),
  },
]
