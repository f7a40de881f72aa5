import type { ComponentChildren } from 'preact'
import { t } from '../language/language.ts'
import { useCommands } from '../navigation/keys.ts'
import { readQuery, routeLocation, setQuery } from '../navigation/router.ts'
import type { IconName } from '../page/icon.tsx'
import { Empty } from '../page/page.tsx'

const isSet = (filter: string): boolean => readQuery(filter) === 'true'

const toggleFilter = (filter: string): void => setQuery({ [filter]: isSet(filter) ? undefined : 'true', at: undefined })

/**
 * Registers a key that shows all rows of a list instead of only the open ones, and back. @param filter the filter that its navigation entry
 * sets: `outstanding`
 */
export function useOpenOnly(filter: string): void {
  const isOpenOnly = isSet(filter)
  useCommands(
    () => [{ keys: 'a', label: () => t(isOpenOnly ? 'orders.show-all' : 'orders.show-open'), run: () => toggleFilter(filter) }],
    [isOpenOnly],
  )
}

/**
 * Empty state of a list that its navigation entry filters, and that may have more rows; undefined when other filters are set, too.
 * @param filter the filter that the entry sets: `outstanding`
 * @param children further actions, in addition to showing all
 */
export const renderNoneOpen = (filter: string, icon: IconName, title: string, children: ComponentChildren): ComponentChildren =>
  isSet(filter) && routeLocation.value.query.size === 1 ? (
    <Empty icon={icon} title={title}>
      {children}
      <button type="button" onClick={() => toggleFilter(filter)}>
        {t('orders.show-all')}
      </button>
    </Empty>
  ) : undefined
