/** The progress of a long operation: a bar, and a text that screen readers read when it changes in words. */
export const ProgressLine = ({ text, done, total }: { text: string; done: number; total: number }) => (
  <label class="progress-line">
    <span>{text}</span>
    <progress max={Math.max(1, total)} value={total > 0 ? done : undefined} />
  </label>
)
