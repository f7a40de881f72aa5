/** Moves a line of links, of which a phone shows some, so that the one of the page that is shown is in the middle of it. */
export function showCurrentLink(line: HTMLElement | null): void {
  const link = line?.querySelector<HTMLElement>('[aria-current]')
  if (line && link) line.scrollLeft = link.offsetLeft - (line.clientWidth - link.clientWidth) / 2
}
