import type { ComponentChildren, RefObject } from 'preact'
import { Icon } from '../page/icon.tsx'

type Properties = {
  containerRef: RefObject<HTMLDivElement | null>
  /** Adds the rows of a pasted table. @returns whether it was a table; any other text goes into the field */
  onPaste: (text: string) => boolean
  /** The field that finds the object to add. */
  children: ComponentChildren
}

/** The line below the rows of a grid, which adds another row, or several pasted ones. */
export const AddLine = ({ containerRef, onPaste, children }: Properties) => (
  // biome-ignore lint/a11y/noStaticElementInteractions: it handles key events of the field inside it
  <div
    class="add-line"
    ref={containerRef}
    onKeyDown={(event) => {
      // shortcuts of the page work without focus in a field
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
