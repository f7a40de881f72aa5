import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Confirm } from '../../kit/form/confirm.tsx'
import { count, t } from '../../kit/language/language.ts'
import { navigate, setQuery } from '../../kit/navigation/router.ts'
import { useActions } from '../../kit/page/actions.tsx'
import { useRead } from '../../kit/page/data.ts'
import { LoadError } from '../../kit/page/load-error.tsx'
import { Page, type PageProperties } from '../../kit/page/page.tsx'
import { attempt, showToast } from '../../kit/page/toast.tsx'
import { ApiError, get, isNotExecuted, newKey, post, remove } from '../../kit/service/api.ts'
import { CheckResult } from './check-result.tsx'
import { ImportColumns } from './import-columns.tsx'
import { ImportFile } from './import-file.tsx'
import { ImportMatching } from './import-matching.tsx'
import { ImportRows } from './import-rows.tsx'
import { SessionState } from './imports.tsx'
import { getFileName, getTypeTitle, listMissing, type Session, STATUS, type Summary } from './session-details.ts'

/** Milliseconds between two looks at the progress of a long import. */
const PROGRESS_INTERVAL_MS = 1_000

/** The progress of the request that runs. */
type Progress = { kind: 'check' | 'import'; done: number; total: number }

/** `/import/:pk/`: one import, in the order of its steps: the file, its columns, existing objects, rows, and the result. */
export function ImportSessionPage({ params }: PageProperties) {
  const url = `/api/importer/session/${params.pk}/`
  const { data, error, reload } = useRead<{ session: Session; summary: Summary }>({ session: url, summary: `${url}summary/` })
  const progress = useSignal<Progress | undefined>(undefined)
  const dialog = useSignal<'undo' | 'delete' | undefined>(undefined)
  const version = useSignal(0)
  const key = useRef(newKey())
  const session = data?.session.body
  const summary = data?.summary.body
  const isComplete = session?.status === STATUS.complete
  const refresh = () => {
    version.value++
    reload()
  }

  /** Runs a request that takes long, and shows how far it is. */
  async function run(kind: Progress['kind'], total: number, send: () => Promise<unknown>): Promise<void> {
    if (progress.value) return
    progress.value = { kind, done: 0, total }
    const timer = setInterval(async () => {
      const current = await get<Session>(url).catch(() => undefined)
      if (!current || !progress.value) return
      const done = kind === 'check' ? current.body.row_count : current.body.completed_row_count
      progress.value = { kind, total, done: Math.min(done, total) }
    }, PROGRESS_INTERVAL_MS)
    try {
      await attempt(send)
    } finally {
      clearInterval(timer)
      progress.value = undefined
      refresh()
    }
  }
  const check = () => run('check', session?.file_row_count ?? 0, () => post(`${url}accept_fields/`))
  const accept = (total: number) =>
    run('import', total + (session?.completed_row_count ?? 0), async () => {
      try {
        await post(`${url}accept_rows/`, { all: true }, key.current)
        key.current = newKey()
        setQuery({ valid: undefined, action: undefined, search: undefined, at: undefined }, { replace: true })
      } catch (failure) {
        if (failure instanceof ApiError && isNotExecuted(failure)) key.current = newKey()
        throw failure
      }
    })
  const undo = async (undoKey: string) => {
    await post(`${url}undo/`, {}, undoKey)
    dialog.value = undefined
    showToast(t('import.undone'))
    refresh()
  }
  const hasImported = (session?.completed_row_count ?? 0) > 0
  const actions = useActions(
    [
      hasImported && {
        title: t('import.undo'),
        icon: 'undo',
        run: () => {
          dialog.value = 'undo'
        },
      },
      session && { title: t('import.another'), icon: 'file', to: `/import/?type=${session.model_type}` },
      session && {
        title: t('import.delete'),
        icon: 'trash',
        run: () => {
          dialog.value = 'delete'
        },
      },
    ],
    0,
  )
  // another request, such as one of another window, reads the rows
  const isReading = session?.status === STATUS.reading && !progress.value
  useEffect(() => {
    if (!isReading) return
    const timer = setInterval(reload, PROGRESS_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [isReading])
  const crumbs = [{ text: t('import.title'), to: '/import/' }]
  if (error) return <LoadError error={error} crumbs={crumbs} />
  if (!session || !summary) return null
  const missing = listMissing(session)
  const isChecked = session.status === STATUS.checked || isComplete
  return (
    <Page
      title={t('import.session-title', { type: getTypeTitle(session.model_type), file: getFileName(session) })}
      crumbs={crumbs}
      state={<SessionState session={session} />}
      actions={actions}
    >
      <div class="import-steps">
        {progress.value && <ImportProgress progress={progress.value} />}
        {isChecked && (
          <CheckResult
            session={session}
            summary={summary}
            isBusy={progress.value !== undefined}
            onAccept={accept}
            onUndo={() => {
              dialog.value = 'undo'
            }}
          />
        )}
        {isChecked && (
          <ImportRows
            session={session}
            errorFields={summary.errors.map(({ field }) => field)}
            onChange={refresh}
            version={version.value}
          />
        )}
        {!isComplete && !hasImported && (
          <>
            <ImportFile session={session} onChange={refresh} isBusy={progress.value !== undefined} />
            <ImportMatching session={session} onChange={refresh} isBusy={progress.value !== undefined} />
            <ImportColumns
              session={session}
              missing={missing}
              onChange={refresh}
              isBusy={progress.value !== undefined}
              footer={
                <div class="buttons">
                  <button
                    type="button"
                    class={isChecked ? '' : 'primary'}
                    disabled={progress.value !== undefined || missing.length > 0}
                    onClick={check}
                  >
                    {count(isChecked ? 'import.check-again' : 'import.check', session.file_row_count ?? 0)}
                  </button>
                </div>
              }
            />
          </>
        )}
      </div>
      {dialog.value === 'undo' && (
        <Confirm
          title={t('import.undo-title')}
          button={t('import.undo')}
          onConfirm={undo}
          onClose={() => {
            dialog.value = undefined
          }}
        >
          <p>{t('import.undo-text')}</p>
        </Confirm>
      )}
      {dialog.value === 'delete' && (
        <Confirm
          title={t('import.delete-title', { file: getFileName(session) })}
          button={t('import.delete')}
          onConfirm={async () => {
            await remove(url)
            navigate('/import/')
          }}
          onClose={() => {
            dialog.value = undefined
          }}
        >
          <p>{t('import.delete-text')}</p>
        </Confirm>
      )}
    </Page>
  )
}

/** A bar that shows how many rows a request has checked or imported. */
function ImportProgress({ progress: { kind, done, total } }: { progress: Progress }) {
  const text = t(kind === 'check' ? 'import.checking' : 'import.importing', { done, total })
  return (
    <output class="import-progress">
      <progress max={Math.max(1, total)} value={done} aria-label={text} />
      {text}
    </output>
  )
}
