import { useSignal } from '@preact/signals'

/**
 * Drag-and-drop listeners for an element that accepts files, and whether files are over it.
 * @param take without it no files are accepted
 */
export function useFileDrop(take: ((files: readonly File[]) => unknown) | undefined) {
  const isOver = useSignal(false)
  const handleDrag = (isHeld: boolean) => (event: DragEvent) => {
    if (!take) return
    event.preventDefault()
    isOver.value = isHeld
    if (event.type === 'drop') take([...(event.dataTransfer?.files ?? [])])
  }
  return {
    isOver: isOver.value,
    listens: { onDragOver: handleDrag(true), onDragLeave: handleDrag(false), onDrop: handleDrag(false) },
  }
}
