import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { Icon, type IconName } from './icon.tsx'
import { useCommands } from './keys.ts'
import { t } from './language.ts'
import { Menu } from './menu.tsx'
import { Keys } from './shown-keys.tsx'

/** Something that can be done with the object of a page. */
export type Action = {
  /** What it does, in the reader's language. */
  title: string
  icon: IconName
  /** As commands have it. Without one it is in the menu and the palette alone. */
  keys?: string
  run: () => void
}

/** How many of the buttons there is room for on a phone; the others are in the menu there. */
const ON_PHONE = 2

/**
 * What can be done with the object of a page: the first of it as buttons, the rest in a menu that shows its keys; all of it by key, under `?`
 * and in the palette. To be called before the page is read: until then nothing applies.
 * @param offered what applies to the object and the account may do, in its order; what is not there is left out
 * @param buttons how many have a button of their own
 */
export function useActions(offered: readonly (Action | false | undefined)[], buttons = 2): ComponentChildren {
  const actions = offered.filter((action) => action !== false && action !== undefined)
  const now = useRef(actions)
  now.current = actions
  useCommands(
    () => actions.map(({ keys, title }, at) => ({ keys, label: () => title, run: () => now.current[at]?.run() })),
    [JSON.stringify(actions.map(({ keys, title }) => [keys, title]))],
  )
  if (actions.length === 0) return null
  const shown = Math.min(buttons, ON_PHONE)
  return (
    <>
      {actions.slice(0, buttons).map(({ title, icon, keys, run }, at) => (
        <button
          key={title}
          type="button"
          class={at === 0 ? 'primary' : at < ON_PHONE ? '' : 'wide-only'}
          aria-keyshortcuts={keys}
          onClick={run}
        >
          <Icon name={icon} />
          {title}
        </button>
      ))}
      {actions.length > shown && (
        <Menu label={t('more')} icon="menu" isNarrow={actions.length <= buttons}>
          {actions.slice(shown).map(({ title, icon, keys, run }, at) => (
            <button
              key={title}
              type="button"
              class={at + shown < buttons ? 'quiet narrow-only' : 'quiet'}
              aria-keyshortcuts={keys}
              onClick={run}
            >
              <Icon name={icon} />
              {title}
              {keys && (
                <span class="menu-keys wide-only" aria-hidden="true">
                  <Keys keys={keys} />
                </span>
              )}
            </button>
          ))}
        </Menu>
      )}
    </>
  )
}
