import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Confirm } from '../../../kit/form/confirm.tsx'
import { count, formatBytes, formatDateTime, formatNumber, t } from '../../../kit/language/language.ts'
import { useActions } from '../../../kit/page/actions.tsx'
import { useRead } from '../../../kit/page/data.ts'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { Badge, Empty, Panel } from '../../../kit/page/page.tsx'
import { attempt, showToast } from '../../../kit/page/toast.tsx'
import { get, post, remove } from '../../../kit/service/api.ts'
import { confirmAccount } from '../../../kit/service/confirmation.ts'
import { ShortTable } from '../../../kit/table/short-table.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { isSuperuser } from '../settings-pages.ts'
import { GLOBAL_SETTINGS_PATH, type GlobalSetting } from '../system/global-setting.ts'
import { SettingRows } from '../system/setting-row.tsx'
import { translateFinding } from './doctor-texts.ts'
import { inGerman } from './format.ts'
import { ProgressLine } from './progress-line.tsx'
import { useRefreshWhile } from './refresh-while.ts'
import { RestoreSteps } from './restore-steps.tsx'

type Backup = {
  name: string
  created: string
  is_before_update: boolean
  version: string | null
  rows: number | null
  files: number | null
  missing: number | null
  size: number | null
}
type Run = { requested: string; phase: 'waiting' | 'tables' | 'files'; done: number; total: number }
type BackupState = {
  running: Run | null
  last: { requested: string; finished: string; failure: string | null } | null
  folder: string
  free: number | null
  kept: number
  next: string | null
  key_file: string | null
  has_external_database: boolean
  backups: Backup[]
}

const PATH = '/api/web/backup/'
/** The settings of the schedule. */
const SCHEDULE_SETTINGS: readonly string[] = ['INVENTREE_BACKUP_ENABLE', 'INVENTREE_BACKUP_DAYS', 'INVENTREE_BACKUP_HOUR']

/** `/settings/backups/`: backups of the database and the stored files. */
export const BackupsPage = () =>
  isSuperuser() ? (
    <BackupPage />
  ) : (
    <SettingsPage title={t('operation.backups')} rejection={t('settings.for-superusers')}>
      {null}
    </SettingsPage>
  )

function BackupPage() {
  const { data, error, reload } = useRead<{ state: BackupState; settings: GlobalSetting[] }>({
    state: PATH,
    settings: GLOBAL_SETTINGS_PATH,
  })
  const state = data?.state.body
  const isRunning = state?.running != null
  const wasRunning = useRef(false)
  useRefreshWhile(isRunning, reload)
  useEffect(() => {
    if (wasRunning.current && !isRunning && state?.last?.failure === null) showToast(t('operation.backups.done'))
    wasRunning.current = isRunning
  }, [isRunning])
  const make = () =>
    attempt(async () => {
      await post(PATH)
      reload()
    })
  const actions = useActions([
    !isRunning && state !== undefined && { title: t('operation.backups.make'), icon: 'file', keys: 'n', run: make },
  ])
  if (error) return <LoadError error={error} />
  if (!data || !state) return null
  const { running, last } = state
  return (
    <SettingsPage title={t('operation.backups')} actions={actions}>
      {running && <ProgressLine text={describeRun(running)} done={running.done} total={running.total} />}
      {!running && last?.failure && (
        <p class="problem">
          {t('operation.backups.failed', {
            time: formatDateTime(last.finished),
            reason: inGerman(translateFinding, last.failure),
          })}
        </p>
      )}
      <Panel>
        {state.backups.length === 0 ? (
          <Empty icon="file" title={t('operation.backups.none')}>
            <p>{t('operation.backups.none.about')}</p>
          </Empty>
        ) : (
          <BackupTable backups={state.backups} reload={reload} />
        )}
        <p class="help">
          {state.free === null
            ? t('operation.backups.where-new', { folder: state.folder })
            : t('operation.backups.where', { folder: state.folder, available: formatBytes(state.free) })}{' '}
          {t('operation.backups.same-disk')}
        </p>
      </Panel>
      <Panel title={t('operation.backups.schedule')}>
        <SettingRows
          rows={SCHEDULE_SETTINGS.flatMap((key) => data.settings.body.find((setting) => setting.key === key) ?? [])}
          onSaved={reload}
        />
        <p class="help">
          {state.next && `${t('operation.backups.next', { time: formatDateTime(state.next) })} `}
          {count('operation.backups.kept', state.kept)}
        </p>
      </Panel>
      <RestoreSteps
        newest={state.backups.find((backup) => !backup.is_before_update)}
        folder={state.folder}
        keyFile={state.key_file}
        hasExternalDatabase={state.has_external_database}
      />
    </SettingsPage>
  )
}

function describeRun({ phase, done, total }: Run): string {
  if (phase === 'waiting') return t('operation.backups.waiting')
  const values = { done: formatNumber(done), total: formatNumber(total) }
  return phase === 'tables' ? t('operation.backups.tables', values) : t('operation.backups.files', values)
}

/** Starts the download once the account is confirmed: the browser saves the file itself, as it may be larger than its memory. */
const downloadBackup = (name: string) =>
  attempt(async () => {
    const { body } = await get<{ confirmed: boolean }>('/api/auth/confirm/')
    if (!body.confirmed && !(await confirmAccount())) return
    const link = document.createElement('a')
    link.href = `${PATH}${name}/download/`
    link.download = `${name}.tar`
    link.click()
  })

function BackupTable({ backups, reload }: { backups: readonly Backup[]; reload: () => void }) {
  const backupToDelete = useSignal<Backup | undefined>(undefined)
  return (
    <>
      <ShortTable
        title={t('operation.backups')}
        rows={backups.map((backup, pk) => ({ ...backup, pk }))}
        columns={[
          {
            name: 'created',
            title: () => t('operation.backups.created'),
            cell: ({ created, is_before_update }) => (
              <>
                {formatDateTime(created)} {is_before_update && <Badge>{t('operation.backups.before-update')}</Badge>}
              </>
            ),
          },
          {
            name: 'contents',
            title: () => t('operation.backups.contents'),
            isWide: true,
            cell: (backup) => <Contents {...backup} />,
          },
          {
            name: 'version',
            title: () => t('operation.version'),
            isWide: true,
            cell: ({ version }) => version,
          },
          {
            name: 'size',
            title: () => t('operation.size'),
            align: 'end',
            cell: ({ size }) => size !== null && formatBytes(size),
          },
          {
            name: 'actions',
            title: () => '',
            align: 'end',
            cell: (backup) => (
              <span class="row-actions">
                <button
                  type="button"
                  class="quiet"
                  aria-label={t('operation.backups.download-one', { time: formatDateTime(backup.created) })}
                  onClick={() => downloadBackup(backup.name)}
                >
                  {t('operation.backups.download')}
                </button>
                <button
                  type="button"
                  class="quiet"
                  aria-label={t('operation.backups.delete-one', { time: formatDateTime(backup.created) })}
                  onClick={() => {
                    backupToDelete.value = backup
                  }}
                >
                  {t('operation.task.delete')}
                </button>
              </span>
            ),
          },
        ]}
      />
      {backupToDelete.value && (
        <Confirm
          title={t('operation.backups.delete-ask', { time: formatDateTime(backupToDelete.value.created) })}
          button={t('operation.task.delete')}
          onConfirm={async () => {
            await remove(`${PATH}${backupToDelete.value?.name}/`)
            showToast(t('operation.backups.deleted'))
            reload()
          }}
          onClose={() => {
            backupToDelete.value = undefined
          }}
        >
          <p>{t('operation.backups.delete.about')}</p>
        </Confirm>
      )}
    </>
  )
}

const Contents = ({ rows, files, missing }: Backup) =>
  rows === null || files === null ? (
    <Badge tone="bad">{t('operation.backups.unreadable')}</Badge>
  ) : (
    <>
      {count('operation.backups.rows', rows)}, {count('operation.backups.files-count', files)}{' '}
      {!!missing && <Badge tone="warn">{count('operation.backups.missing', missing)}</Badge>}
    </>
  )
