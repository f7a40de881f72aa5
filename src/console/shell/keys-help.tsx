import { Dialog } from '../kit/dialog.tsx'
import { Icon, type IconName } from '../kit/icon.tsx'
import { type Command, commands } from '../kit/keys.ts'
import { t } from '../kit/language.ts'

/** All keys that do something here. */
export function KeysHelp({ onClose }: { onClose: () => void }) {
  const keyed = commands.value.filter(({ keys }) => keys !== undefined)
  return (
    <Dialog title={t('keys.title')} onClose={onClose}>
      <dl class="keys">
        {keyed.map((command) => (
          <div key={command.keys}>
            <dt>
              <Keys command={command} />
            </dt>
            <dd>{command.label()}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

const ARROWS: Record<string, IconName> = { ArrowDown: 'down', ArrowUp: 'up', PageDown: 'down', PageUp: 'up' }

/** The keys of a command, as they stand on a keyboard. */
export const Keys = ({ command: { keys = '' } }: { command: Command }) => (
  <>
    {keys.split(' ').map((key) => (
      <kbd key={key}>
        {ARROWS[key] ? key.replace(/Arrow|Down|Up/g, '') : key}
        {ARROWS[key] && <Icon name={ARROWS[key]} />}
      </kbd>
    ))}
  </>
)
