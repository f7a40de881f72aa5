import type { ComponentChildren } from 'preact'

/** Key figures of an object, large enough to be read from a distance. Those without a value are left out. */
export const Figures = ({
  rows,
}: {
  rows: readonly (readonly [name: string, value: ComponentChildren, tone?: 'bad' | 'warn' | undefined])[]
}) => (
  <dl class="figures">
    {rows
      .filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false)
      .map(([name, value, tone]) => (
        <div key={name} class={tone}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)
