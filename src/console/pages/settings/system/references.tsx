import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { t } from '../../../kit/language/language.ts'
import { useRead } from '../../../kit/page/data.ts'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { Panel } from '../../../kit/page/page.tsx'
import { ApiError, get, withQuery } from '../../../kit/service/api.ts'
import { SettingsPage } from '../settings-page.tsx'
import { isStaff } from '../settings-pages.ts'
import { GLOBAL_SETTINGS_PATH, type GlobalSetting } from './global-setting.ts'
import { SettingRows } from './setting-row.tsx'

/** The types of orders by the setting of their pattern, in the order of the page. */
const KINDS: Readonly<Record<string, string>> = {
  PURCHASEORDER_REFERENCE_PATTERN: 'purchaseorder',
  SALESORDER_REFERENCE_PATTERN: 'salesorder',
  RETURNORDER_REFERENCE_PATTERN: 'returnorder',
  TRANSFERORDER_REFERENCE_PATTERN: 'transferorder',
  BUILDORDER_REFERENCE_PATTERN: 'build',
}

/** Milliseconds without a key until the next reference is read. */
const PREVIEW_DELAY_MS = 200

/** `/settings/references/`: the patterns of the references of orders, each with the next one. */
export function ReferencesPage() {
  return (
    <SettingsPage title={t('settings.references')} rejection={t('settings.for-staff')}>
      {isStaff() && <PatternList />}
    </SettingsPage>
  )
}

function PatternList() {
  const { data, error, reload } = useRead<{ settings: GlobalSetting[] }>({ settings: GLOBAL_SETTINGS_PATH })
  if (error) return <LoadError error={error} />
  if (!data) return null
  const settings = Object.keys(KINDS).flatMap((key) => data.settings.body.filter((setting) => setting.key === key))
  return (
    <Panel>
      <p>{t('references.about')}</p>
      <SettingRows
        rows={settings}
        onSaved={reload}
        preview={({ key, value }, typed) => <NextReference kind={KINDS[key] ?? ''} pattern={typed} isSaved={typed === value} />}
      />
    </Panel>
  )
}

type NextProperties = { kind: string; pattern: string; isSaved: boolean }

/** The next reference of a pattern, saved or not, or what is wrong with it. */
function NextReference({ kind, pattern, isSaved }: NextProperties) {
  const reference = useSignal<string | undefined>(undefined)
  const problem = useSignal<string | undefined>(undefined)
  useEffect(() => {
    const controller = new AbortController()
    const timer = setTimeout(
      async () => {
        try {
          const url = withQuery('/api/web/reference-preview/', { kind, pattern })
          reference.value = (await get<{ reference: string }>(url, controller.signal)).body.reference
          problem.value = undefined
        } catch (error) {
          if (error instanceof ApiError) problem.value = error.text
          else if ((error as Error).name !== 'AbortError') throw error
        }
      },
      isSaved ? 0 : PREVIEW_DELAY_MS,
    )
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [kind, pattern])
  return (
    <p class={problem.value ? 'error' : 'next-reference'} role="status">
      {problem.value ?? (reference.value !== undefined && t('references.next', { reference: reference.value }))}
    </p>
  )
}
