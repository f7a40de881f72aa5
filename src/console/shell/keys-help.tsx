import { Dialog } from '../kit/dialog.tsx'
import { commands } from '../kit/keys.ts'
import { t } from '../kit/language.ts'
import { Keys } from '../kit/shown-keys.tsx'

/** All keys that do something here. */
export function KeysHelp({ onClose }: { onClose: () => void }) {
  const keyed = commands.value.filter(({ keys }) => keys !== undefined)
  const hasCells = document.querySelector('.cells td.edited, .edit-cell') !== null
  return (
    <Dialog title={t('keys.title')} onClose={onClose}>
      <dl class="keys">
        {keyed.map((command) => (
          <div key={command.keys}>
            <dt>
              <Keys keys={command.keys} />
            </dt>
            <dd>{command.label()}</dd>
          </div>
        ))}
      </dl>
      {hasCells && <p class="quiet-text">{t('keys.cells')}</p>}
    </Dialog>
  )
}
