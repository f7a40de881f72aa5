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

/** A chip resistor or capacitor between two contacts, in this color. */
const chipPart = (color: string, marking = '') => `<rect x="52" y="84" width="136" height="72" rx="4" fill="#b4b7b5"/>
  <rect x="80" y="84" width="80" height="72" fill="${color}"/>
  <text x="120" y="131" font-family="Noto Sans" font-size="30" text-anchor="middle" fill="#f4f1ea">${marking}</text>`

const led = (
  color: string,
) => `<rect x="64" y="80" width="112" height="80" rx="6" fill="#f9f7f2" stroke="#b4b7b5" stroke-width="6"/>
  <circle cx="120" cy="120" r="30" fill="${color}"/>`

const knob = (
  color: string,
) => `<circle cx="120" cy="120" r="78" fill="${color}"/><circle cx="120" cy="120" r="58" fill="#0000001a"/>
  <path d="M120 46v44" stroke="#2f3b45" stroke-width="10"/>`

/** A coil of wire in this color. */
const wire = (color: string) =>
  `<g fill="none" stroke="${color}" stroke-width="12">${repeat(3, (at) => `<circle cx="120" cy="112" r="${48 + at * 16}"/>`)}<path d="M120 192h84"/></g>`

const smallChip = (marking: string) => `<g fill="#8d8d86">${repeat(4, (at) => `<path d="M${78 + at * 24} 60h12v120h-12z"/>`)}</g>
  <rect x="60" y="78" width="120" height="84" rx="4" fill="#2f3b45"/><circle cx="76" cy="94" r="5" fill="#f4f1ea"/>
  <text x="120" y="132" font-family="Noto Sans" font-size="26" text-anchor="middle" fill="#c9cfd2">${marking}</text>`

const instrumentCase = (wood: string) => `<rect x="24" y="64" width="192" height="112" rx="12" fill="${wood}"/>
  <rect x="38" y="78" width="164" height="84" rx="4" fill="#0000002e"/>`

/** Pictures of objects of the workshop, by URL: drawings in SVG. */
export const pictures = [
  { path: '/api/part/1/', drawing: drawing(chipPart('#2f3b45', '471')) },
  { path: '/api/part/2/', drawing: drawing(chipPart('#2f3b45', '103')) },
  { path: '/api/part/3/', drawing: drawing(chipPart('#2f3b45', '104')) },
  { path: '/api/part/4/', drawing: drawing(chipPart('#b98d5e')) },
  { path: '/api/part/5/', drawing: drawing(chipPart('#a2774b')) },
  {
    // an electrolytic capacitor
    path: '/api/part/6/',
    drawing:
      drawing(`<rect x="76" y="40" width="88" height="128" rx="10" fill="#2f3b45"/><rect x="136" y="40" width="28" height="128" fill="#c9cfd2"/>
      <path d="M100 168v40M140 168v40" stroke="#8d8d86" stroke-width="6"/>`),
  },
  { path: '/api/part/8/', drawing: drawing(smallChip('4204')) },
  { path: '/api/part/9/', drawing: drawing(smallChip('NK83')) },
  { path: '/api/part/10/', drawing: drawing(smallChip('3V3')) },
  { path: '/api/part/11/', drawing: drawing(led('#f2c75c')) },
  { path: '/api/part/12/', drawing: drawing(led('#5ca6c7')) },
  {
    // a display
    path: '/api/part/20/',
    drawing:
      drawing(`<rect x="40" y="56" width="160" height="128" rx="6" fill="#22302c"/><rect x="54" y="70" width="132" height="78" fill="#dff0f0"/>
      <path d="M66 88h64M66 106h96M66 124h44" stroke="#2f3b45" stroke-width="6"/>`),
  },
  {
    // a loudspeaker
    path: '/api/part/21/',
    drawing: drawing(`<circle cx="120" cy="120" r="84" fill="#8d8d86"/><circle cx="120" cy="120" r="68" fill="#2f3b45"/>
      <circle cx="120" cy="120" r="26" fill="#b4b7b5"/>`),
  },
  { path: '/api/part/26/', drawing: drawing(wire('#a8452f')) },
  { path: '/api/part/27/', drawing: drawing(wire('#2f3b45')) },
  { path: '/api/part/28/', drawing: drawing(wire('#6b4530')) },
  {
    // a screw
    path: '/api/part/29/',
    drawing: drawing(`<rect x="64" y="44" width="112" height="44" rx="16" fill="#2f3b45"/>
      ${repeat(7, (at) => `<path d="M96 ${96 + at * 14}l48 8" stroke="#2f3b45" stroke-width="9"/>`)}`),
  },
  { path: '/api/part/32/', drawing: drawing(knob('#f0e6d2')) },
  { path: '/api/part/33/', drawing: drawing(knob('#a8452f')) },
  { path: '/api/part/34/', drawing: drawing(instrumentCase('#6b4530')) },
  { path: '/api/part/35/', drawing: drawing(instrumentCase('#c9a26b')) },
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
