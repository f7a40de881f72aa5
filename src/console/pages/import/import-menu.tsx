import type { ComponentChildren } from 'preact'
import { t } from '../../kit/language/language.ts'
import type { Action } from '../../kit/page/actions.tsx'
import { Icon } from '../../kit/page/icon.tsx'
import { Menu } from '../../kit/page/menu.tsx'
import { getImportUrl, listImportTypes } from './import-types.ts'
import { getTypeTitle } from './session-details.ts'

/** The action that imports a spreadsheet of objects of a type, for accounts that can. @param fixed values that all rows have */
export const createImportAction = (type: string, fixed?: Readonly<Record<string, number | string>>): Action | false =>
  listImportTypes().includes(type) && { title: t('import.from-spreadsheet'), icon: 'receive', to: getImportUrl(type, fixed) }

type LinkProperties = { type: string; fixed?: Readonly<Record<string, number | string>>; children: ComponentChildren }

/** A link in a menu that starts an import. */
export const ImportLink = ({ type, fixed, children }: LinkProperties) => (
  <a class="button quiet" href={getImportUrl(type, fixed)} data-ends-menu>
    <Icon name="receive" />
    {children}
  </a>
)

/** A menu of a list with further actions: the import of a spreadsheet of each of these types. */
export function ImportMenu({ types }: { types: readonly string[] }) {
  const offered = types.filter((type) => listImportTypes().includes(type))
  if (offered.length === 0) return null
  return (
    <Menu label={t('more')} icon="menu">
      {offered.map((type, index) => (
        <ImportLink key={type} type={type}>
          {index === 0 ? t('import.from-spreadsheet') : t('import.import-type', { type: getTypeTitle(type) })}
        </ImportLink>
      ))}
    </Menu>
  )
}
