import { t } from '../kit/language/language.ts'
import { commands } from '../kit/navigation/keys.ts'
import { Keys } from '../kit/page/shown-keys.tsx'
import { Dialog } from '../kit/window/dialog.tsx'

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
