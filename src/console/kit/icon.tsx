/** Our own drawings: lines of 1.5 in a square of 20. */
const DRAWINGS = {
  bell: 'M5 14h10l-1.2-1.8V8.5a3.8 3.8 0 0 0-7.6 0v3.7zM8.4 16.6a1.8 1.8 0 0 0 3.2 0',
  box: 'M3.5 6.5 10 3.5l6.5 3v7L10 16.5l-6.5-3zM3.5 6.5 10 9.7l6.5-3.2M10 9.7v6.8',
  building: 'M4 17V5l7-2v14M11 8h5v9M2.5 17h15M6.5 7.5h2M6.5 10.5h2M6.5 13.5h2M13 11h1.2M13 14h1.2',
  cart: 'M3 4.5h2l1.8 8.5h7.6l1.6-6H5.6M8 16.2h.1M13.4 16.2h.1',
  check: 'm4.5 10.5 3.6 3.7 7.4-8.2',
  chevron: 'm7.5 4.5 5.5 5.5-5.5 5.5',
  chip: 'M6 6h8v8H6zM8 3.5V6M12 3.5V6M8 14v2.5M12 14v2.5M3.5 8H6M3.5 12H6M14 8h2.5M14 12h2.5',
  clock: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14M10 6v4.2l2.8 1.8',
  close: 'm5.5 5.5 9 9m0-9-9 9',
  columns: 'M3.5 4.5h13v11h-13zM8 4.5v11M12.2 4.5v11',
  count: 'M4 4.5h12v11H4zM6.5 8l1 1 1.8-2M6.5 12.2l1 1 1.8-2M11.5 8.2h2.5M11.5 12.4h2.5',
  down: 'M10 4.5v11m-4.2-4.2 4.2 4.2 4.2-4.2',
  edit: 'm4 16 .8-3.4 8.7-8.7 2.6 2.6-8.7 8.7z',
  file: 'M5.5 3.5h6l3 3v10h-9zM11.5 3.5v3h3',
  home: 'm3.5 9.5 6.5-6 6.5 6M5.2 8.2v8.3h9.6V8.2M8.4 16.5v-4.8h3.2v4.8',
  key: 'M3 6.5h14v7H3zM5.6 9h.1M8.5 9h.1M11.4 9h.1M14.3 9h.1M6.5 11.4h7',
  link: 'M8.5 11.5a3 3 0 0 0 4.3 0l2.6-2.6a3 3 0 0 0-4.3-4.3L10 5.7M11.5 8.5a3 3 0 0 0-4.3 0l-2.6 2.6a3 3 0 0 0 4.3 4.3L10 14.3',
  menu: 'M3.5 5.5h13M3.5 10h13M3.5 14.5h13',
  merge: 'M5 3.5V7l5 4.5L15 7V3.5M10 11.5v5m-2.6-2.6 2.6 2.6 2.6-2.6',
  minus: 'M4 10h12',
  move: 'M3.5 10h12m-4-4 4 4-4 4',
  place: 'M10 17c-3.2-3.6-5-6.2-5-8.6a5 5 0 0 1 10 0c0 2.4-1.8 5-5 8.6M10 10.2a1.9 1.9 0 1 0 0-3.8 1.9 1.9 0 0 0 0 3.8',
  plus: 'M10 4v12M4 10h12',
  print: 'M6 7.5v-4h8v4M6 14H3.5V7.5h13V14H14M6 12h8v4.5H6z',
  receive: 'M10 3v8m-3.2-3.2L10 11l3.2-3.2M3.5 11.5v5h13v-5',
  scan: 'M3.5 5v10M6 5v10M8.5 5v10M11 5v10M12.8 5v10M16.5 5v10',
  search: 'M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11m4-1.5 3.8 3.8',
  settings: 'M3.5 6.5h7M14 6.5h2.5M3.5 13.5H6M9.5 13.5h7M12.2 4.7v3.6M7.7 11.7v3.6',
  send: 'M10 11.5v-8M6.8 6.7 10 3.5l3.2 3.2M3.5 11.5v5h13v-5',
  signOut: 'M8 4H4.5v12H8M8.5 10h8m-3.2-3.2 3.2 3.2-3.2 3.2',
  split: 'M10 16.5V11L5 5.5M10 11l5-5.5M5 9V5.5h3.5M11.5 5.5H15V9',
  trash: 'M4 5.5h12M8 5.5v-2h4v2M5.5 5.5l.7 11h7.6l.7-11M8.4 8.5v5M11.6 8.5v5',
  truck: 'M2.5 5h9v8.5h-9zM11.5 8h3.2l2.8 3v2.5h-6M6 15.6a1.5 1.5 0 1 0 0-.1M14 15.6a1.5 1.5 0 1 0 0-.1',
  undo: 'M7.5 4.5 4 8l3.5 3.5M4 8h7.5a4.5 4.5 0 0 1 0 9H8',
  up: 'M10 15.5v-11M5.8 8.7 10 4.5l4.2 4.2',
  user: 'M10 10a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4M3.8 16.6c.7-3 3.2-4.4 6.2-4.4s5.5 1.4 6.2 4.4',
  view: 'M5.5 3.5h9v13l-4.5-3.6-4.5 3.6z',
  warning: 'M10 3.5 17.5 16.5h-15zM10 8.5v3.8M10 14.3v.2',
  wrench: 'M12.5 3.6a4 4 0 0 0-4.2 5.6L3.6 14a1.7 1.7 0 0 0 2.4 2.4l4.8-4.7a4 4 0 0 0 5.5-4.3l-2.4 2.3-2.3-.6-.6-2.3z',
} as const

export type IconName = keyof typeof DRAWINGS

/** A drawing beside words, or in a button that has a label: it says nothing by itself. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
    <path d={DRAWINGS[name]} />
  </svg>
)
