/** Our own drawings: lines of 1.5 in a square of 20. */
const DRAWINGS = {
  bell: 'M5 14h10l-1.2-1.8V8.5a3.8 3.8 0 0 0-7.6 0v3.7zM8.4 16.6a1.8 1.8 0 0 0 3.2 0',
  building: 'M4 17V5l7-2v14M11 8h5v9M2.5 17h15M6.5 7.5h2M6.5 10.5h2M6.5 13.5h2M13 11h1.2M13 14h1.2',
  check: 'm4.5 10.5 3.6 3.7 7.4-8.2',
  chevron: 'm7.5 4.5 5.5 5.5-5.5 5.5',
  close: 'm5.5 5.5 9 9m0-9-9 9',
  columns: 'M3.5 4.5h13v11h-13zM8 4.5v11M12.2 4.5v11',
  down: 'M10 4.5v11m-4.2-4.2 4.2 4.2 4.2-4.2',
  edit: 'm4 16 .8-3.4 8.7-8.7 2.6 2.6-8.7 8.7z',
  key: 'M3 6.5h14v7H3zM5.6 9h.1M8.5 9h.1M11.4 9h.1M14.3 9h.1M6.5 11.4h7',
  menu: 'M3.5 5.5h13M3.5 10h13M3.5 14.5h13',
  plus: 'M10 4v12M4 10h12',
  search: 'M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11m4-1.5 3.8 3.8',
  settings: 'M3.5 6.5h7M14 6.5h2.5M3.5 13.5H6M9.5 13.5h7M12.2 4.7v3.6M7.7 11.7v3.6',
  signOut: 'M8 4H4.5v12H8M8.5 10h8m-3.2-3.2 3.2 3.2-3.2 3.2',
  up: 'M10 15.5v-11M5.8 8.7 10 4.5l4.2 4.2',
  user: 'M10 10a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4M3.8 16.6c.7-3 3.2-4.4 6.2-4.4s5.5 1.4 6.2 4.4',
  warning: 'M10 3.5 17.5 16.5h-15zM10 8.5v3.8M10 14.3v.2',
} as const

export type IconName = keyof typeof DRAWINGS

/** A drawing beside words, or in a button that has a label: it says nothing by itself. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
    <path d={DRAWINGS[name]} />
  </svg>
)
