import { Icon, type IconName } from './icon.tsx'

const ARROWS: Record<string, IconName> = { ArrowDown: 'down', ArrowUp: 'up', PageDown: 'down', PageUp: 'up' }

/** The keys of a command, as they stand on a keyboard. @param keys as commands have them: `g c` */
export const Keys = ({ keys = '' }: { keys?: string | undefined }) => (
  <>
    {keys.split(' ').map((key) => (
      <kbd key={key}>
        {ARROWS[key] ? key.replace(/Arrow|Down|Up/g, '') : key}
        {ARROWS[key] && <Icon name={ARROWS[key]} />}
      </kbd>
    ))}
  </>
)
