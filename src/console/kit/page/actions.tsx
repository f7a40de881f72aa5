import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { t } from '../language/language.ts'
import { useCommands } from '../navigation/keys.ts'
import { navigate } from '../navigation/router.ts'
import { Icon, type IconName } from './icon.tsx'
import { Menu } from './menu.tsx'
import { ShortcutKeys } from './shortcut-keys.tsx'

/** An action on the object of a page. */
export type Action = {
  /** Its label, in the reader's language. */
  title: string
  icon: IconName
  /** Shortcut, as in commands. Without one it is only in the menu and the palette. */
  keys?: string
} & ({ run: () => void } | { /** Page of the action. */ to: string })

/** Number of buttons that fit on a phone; the others are in the menu there. */
const MAX_PHONE_BUTTONS = 2

/**
 * Renders the actions on the object of a page: the first ones as buttons, the rest in a menu that shows their shortcuts; all of them have a
 * shortcut entry under `?` and in the palette. Call it before the page has loaded: until then none applies.
 * @param availableActions actions that apply to the object and that the account can use, in order; false and undefined are left out
 * @param buttonCount number of actions with their own button
 * @param content shown at the top of the menu, such as the reports of the object
 */
export function useActions(
  availableActions: readonly (Action | false | undefined)[],
  buttonCount = 2,
  content?: ComponentChildren,
): ComponentChildren {
  const actions = availableActions.filter((action) => action !== false && action !== undefined)
  const latestActions = useRef(actions)
  latestActions.current = actions
  useCommands(
    () =>
      actions.map(({ keys, title }, index) => ({ keys, label: () => title, run: () => runAction(latestActions.current[index]) })),
    [JSON.stringify(actions.map(({ keys, title }) => [keys, title]))],
  )
  if (actions.length === 0 && !content) return null
  const visibleCount = Math.min(buttonCount, MAX_PHONE_BUTTONS)
  return (
    <>
      {actions.slice(0, buttonCount).map((action, index) => (
        <ActionButton
          key={action.title}
          action={action}
          style={index === 0 ? 'primary' : index < MAX_PHONE_BUTTONS ? '' : 'wide-only'}
        />
      ))}
      {(actions.length > visibleCount || content) && (
        <Menu label={t('more')} icon="menu" isNarrow={!content && actions.length <= buttonCount}>
          {content}
          {actions.slice(visibleCount).map((action, index) => (
            <ActionButton
              key={action.title}
              action={action}
              style={index + visibleCount < buttonCount ? 'quiet narrow-only' : 'quiet'}
              isInMenu
            />
          ))}
        </Menu>
      )}
    </>
  )
}

function runAction(action: Action | undefined): void {
  if (!action) return
  if ('to' in action) navigate(action.to)
  else action.run()
}

/** A button, or a link to the page of the action. */
function ActionButton({ action, style, isInMenu }: { action: Action; style: string; isInMenu?: boolean }) {
  const { title, icon, keys } = action
  const content = (
    <>
      <Icon name={icon} />
      {title}
      {isInMenu && keys && (
        <span class="menu-keys wide-only" aria-hidden="true">
          <ShortcutKeys keys={keys} />
        </span>
      )}
    </>
  )
  return 'to' in action ? (
    <a class={`button ${style}`} href={action.to} aria-keyshortcuts={keys} data-ends-menu={isInMenu}>
      {content}
    </a>
  ) : (
    <button type="button" class={style} aria-keyshortcuts={keys} data-ends-menu={isInMenu} onClick={action.run}>
      {content}
    </button>
  )
}
