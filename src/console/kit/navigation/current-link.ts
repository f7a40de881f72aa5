/**
 * Scrolls a row of links, which may be wider than a phone, or a column of links, which may be higher than the window, so that the link of
 * the current page is in its middle.
 */
export function showCurrentLink(line: HTMLElement | null): void {
  const link = line?.querySelector<HTMLElement>('[aria-current]')
  if (!line || !link) return
  line.scrollLeft = link.offsetLeft - (line.clientWidth - link.clientWidth) / 2
  line.scrollTop = link.offsetTop - (line.clientHeight - link.clientHeight) / 2
}
