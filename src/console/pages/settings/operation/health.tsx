import { useSignal } from '@preact/signals'
import { count, formatDateTime, type Key, t } from '../../../kit/language/language.ts'
import { useActions } from '../../../kit/page/actions.tsx'
import { Badge, Empty, Panel } from '../../../kit/page/page.tsx'
import { attempt } from '../../../kit/page/toast.tsx'
import { postQuery } from '../../../kit/service/api.ts'
import { SettingsPage } from '../settings-page.tsx'
import { isSuperuser } from '../settings-pages.ts'
import { translateFinding } from './doctor-texts.ts'
import { inGerman } from './format.ts'

type Status = 'ok' | 'warning' | 'error' | 'skipped'
type Check = {
  name: string
  title: string
  status: Status
  findings: { status: Status; message: string; advice?: string }[]
}
type Health = { checked: string; checks: Check[] }

const TONES = { ok: 'good', warning: 'warn', error: 'bad', skipped: undefined } as const

const CHECK_TITLES = {
  versions: 'operation.check.versions',
  database: 'operation.check.database',
  background: 'operation.check.background',
  storage: 'operation.check.storage',
  disk: 'operation.check.disk',
  mail: 'operation.check.mail',
  browser: 'operation.check.browser',
  clock: 'operation.check.clock',
  time_zone: 'operation.check.time_zone',
  public_url: 'operation.check.public_url',
} as const satisfies Record<string, Key>

/** The last result, while the console is open. */
const lastHealth: { value: Health | undefined } = { value: undefined }

/** `/settings/health/`: checks on demand, and links to what is recorded of sign-ins. */
export function HealthPage() {
  const health = useSignal(lastHealth.value)
  const isBusy = useSignal(false)
  async function run() {
    if (isBusy.value) return
    isBusy.value = true
    await attempt(async () => {
      health.value = (await postQuery<Health>('/api/web/health/')).body
      lastHealth.value = health.value
    })
    isBusy.value = false
  }
  const actions = useActions([isSuperuser() && { title: t('operation.health.run'), icon: 'check', keys: 'n', run }])
  return (
    <SettingsPage title={t('operation.health')} actions={actions} rejection={t('settings.for-superusers')}>
      <output aria-live="polite">{isBusy.value ? t('operation.health.running') : health.value && summarize(health.value)}</output>
      {!health.value && !isBusy.value && (
        <Empty icon="check" title={t('operation.health.none')}>
          <p>{t('operation.health.none.about')}</p>
        </Empty>
      )}
      {health.value && <Checks checks={health.value.checks} />}
      <Panel title={t('operation.audit')}>
        <p>{t('operation.audit.about')}</p>
        <ul class="link-list">
          <li>
            <a href="/settings/security-events/?kind=sign_in">{t('operation.audit.sign-ins')}</a>
          </li>
          <li>
            <a href="/settings/security-events/?kind=sign_in_failed">{t('operation.audit.failed')}</a>
          </li>
          <li>
            <a href="/settings/security-events/">{t('operation.audit.all')}</a>
          </li>
        </ul>
      </Panel>
    </SettingsPage>
  )
}

/** The number of errors and warnings, and when they were found. */
function summarize({ checks, checked }: Health): string {
  const findings = checks.flatMap((check) => check.findings)
  const [errors, warnings] = (['error', 'warning'] as const).map(
    (status) => findings.filter((finding) => finding.status === status).length,
  ) as [number, number]
  const result = [
    ...(errors > 0 ? [count('operation.health.errors', errors)] : []),
    ...(warnings > 0 ? [count('operation.health.warnings', warnings)] : []),
  ]
  const skipped = checks.filter(({ status }) => status === 'skipped').length
  const good = skipped > 0 ? count('operation.health.skipped', skipped) : t('operation.health.good')
  const time = t('operation.health.checked', { time: formatDateTime(checked) })
  return `${result.length > 0 ? `${result.join(', ')}.` : good} ${time}`
}

const Checks = ({ checks }: { checks: readonly Check[] }) => (
  <div class="panels">
    {checks.map(({ name, title, status, findings }) => (
      <section key={name} class="panel health-check">
        <header>
          <h2>{name in CHECK_TITLES ? t(CHECK_TITLES[name as keyof typeof CHECK_TITLES]) : title}</h2>
          <Badge tone={TONES[status]}>{t(`operation.health.status.${status}`)}</Badge>
        </header>
        <ul>
          {findings.map(({ status, message, advice }) => (
            <li key={message} class={status}>
              {status !== 'ok' && findings.length > 1 && <strong>{t(`operation.health.status.${status}`)}: </strong>}
              {inGerman(translateFinding, message)}
              {advice && <p class="help">{inGerman(translateFinding, advice)}</p>}
            </li>
          ))}
        </ul>
      </section>
    ))}
  </div>
)
