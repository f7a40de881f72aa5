import type { ComponentChildren, RefObject } from 'preact'
import { Icon } from '../page/icon.tsx'

type Properties = {
  place: RefObject<HTMLDivElement | null>
  /** Takes a piece of a table that was pasted. @returns whether it was one; any other text goes into the field */
  onPaste: (text: string) => boolean
  /** The field that finds what is added. */
  children: ComponentChildren
}

/** What stands under the rows of a sheet, and adds one more, or several that are pasted. */
export const AddLine = ({ place, onPaste, children }: Properties) => (
  // biome-ignore lint/a11y/noStaticElementInteractions: it hears the keys of the field in it
  <div
    class="add-line"
    ref={place}
    onKeyDown={(event) => {
      // the keys of the page are its own again
      if (event.key === 'Escape') (event.target as HTMLElement).blur()
    }}
    onPaste={(event) => {
      if (onPaste(event.clipboardData?.getData('text/plain') ?? '')) event.preventDefault()
    }}
  >
    <Icon name="plus" />
    {children}
  </div>
)
