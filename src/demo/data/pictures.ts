const drawing = (content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 240" width="240" height="240"><rect width="240" height="240" fill="#f4f1ea"/>${content}</svg>`

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
  {
    // two letters
    path: '/api/company/1/',
    drawing: drawing(`<circle cx="120" cy="120" r="84" fill="#c98a2b"/>
      <path d="M88 76v88h30a22 22 0 0 0 0-44H88h26a22 22 0 0 0 0-44z" fill="none" stroke="#f4f1ea" stroke-width="12"/>
      <path d="M150 92l10 60 12-40 12 40 10-60" fill="none" stroke="#2f3b45" stroke-width="8"/>`),
  },
]
