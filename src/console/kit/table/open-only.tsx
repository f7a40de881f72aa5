import type { ComponentChildren } from 'preact'
import { t } from '../language/language.ts'
import { useCommands } from '../navigation/keys.ts'
import { place, query, setQuery } from '../navigation/router.ts'
import type { IconName } from '../page/icon.tsx'
import { Empty } from '../page/page.tsx'

const isSet = (filter: string): boolean => query(filter) === 'true'

const turn = (filter: string): void => setQuery({ [filter]: isSet(filter) ? undefined : 'true', at: undefined })

/** Has a key show all of a list that its entry narrows to what is open, and narrow it again. @param filter by which: `outstanding` */
export function useOpenOnly(filter: string): void {
  const isOpenOnly = isSet(filter)
  useCommands(
    () => [{ keys: 'a', label: () => t(isOpenOnly ? 'orders.show-all' : 'orders.show-open'), run: () => turn(filter) }],
    [isOpenOnly],
  )
}

/**
 * What a list says that is empty as its entry narrows it, and has more to show perhaps; undefined where something else narrows it, too.
 * @param filter what the entry narrows it by: `outstanding`
 * @param children what can be done, beside showing all
 */
export const noneOpen = (filter: string, icon: IconName, title: string, children: ComponentChildren): ComponentChildren =>
  isSet(filter) && place.value.query.size === 1 ? (
    <Empty icon={icon} title={title}>
      {children}
      <button type="button" onClick={() => turn(filter)}>
        {t('orders.show-all')}
      </button>
    </Empty>
  ) : undefined
