import { useSignal } from '@preact/signals'

/**
 * Drag-and-drop listeners for an element that accepts files, and whether files are over it.
 * @param onFiles receives the dropped files; without it, no files are accepted
 */
export function useFileDrop(onFiles: ((files: readonly File[]) => unknown) | undefined) {
  const isOver = useSignal(false)
  const handleDrag = (isDragging: boolean) => (event: DragEvent) => {
    if (!onFiles) return
    event.preventDefault()
    isOver.value = isDragging
    if (event.type === 'drop') onFiles([...(event.dataTransfer?.files ?? [])])
  }
  return {
    isOver: isOver.value,
    handlers: { onDragOver: handleDrag(true), onDragLeave: handleDrag(false), onDrop: handleDrag(false) },
  }
}
