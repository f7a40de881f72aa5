import { useSignal } from '@preact/signals'

/**
 * What an element listens to on which files are dropped, and whether something is held over it.
 * @param take without it none are taken
 */
export function useFileDrop(take: ((files: readonly File[]) => unknown) | undefined) {
  const isOver = useSignal(false)
  const heard = (isHeld: boolean) => (event: DragEvent) => {
    if (!take) return
    event.preventDefault()
    isOver.value = isHeld
    if (event.type === 'drop') take([...(event.dataTransfer?.files ?? [])])
  }
  return { isOver: isOver.value, listens: { onDragOver: heard(true), onDragLeave: heard(false), onDrop: heard(false) } }
}
