/** Scrolls a row of links, which may be wider than a phone, so that the link of the current page is in its middle. */
export function showCurrentLink(line: HTMLElement | null): void {
  const link = line?.querySelector<HTMLElement>('[aria-current]')
  if (line && link) line.scrollLeft = link.offsetLeft - (line.clientWidth - link.clientWidth) / 2
}
