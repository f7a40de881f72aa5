import { count, formatDateTime, formatNumber, t } from '../../../kit/language/language.ts'
import { useActions } from '../../../kit/page/actions.tsx'
import { useRead } from '../../../kit/page/data.ts'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { Badge, Empty, Panel } from '../../../kit/page/page.tsx'
import { attempt } from '../../../kit/page/toast.tsx'
import { post } from '../../../kit/service/api.ts'
import { ShortTable } from '../../../kit/table/short-table.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { isStaff } from '../settings-pages.ts'
import { inGerman } from './format.ts'
import { ProgressLine } from './progress-line.tsx'
import { useRefreshWhile } from './refresh-while.ts'
import { translateProblem } from './verification-texts.ts'

type BrokenObject = { model: string; pk: number; name: string | null; page?: string | null; problem: string }
type Finding = { name: string; holds: string; damage: boolean; count: number; objects: BrokenObject[] }
type Runs = {
  running: { requested: string; done: number; checks: number } | null
  last: {
    requested: string
    finished: string
    is_right: boolean | null
    failure: string | null
    checks: Finding[]
  } | null
}

const PATH = '/api/stock/verify/'

/** `/settings/verify/`: recounts stock and orders, and lists the objects that do not match. */
export const Verification = () =>
  isStaff() ? <VerificationPage /> : <SettingsPage title={t('operation.verify')}>{null}</SettingsPage>

function VerificationPage() {
  const { data, error, reload } = useRead<{ runs: Runs }>({ runs: PATH })
  const { running = null, last = null } = data?.runs.body ?? {}
  useRefreshWhile(running !== null, reload)
  const start = () =>
    attempt(async () => {
      await post(PATH)
      reload()
    })
  const actions = useActions([
    data !== undefined && running === null && { title: t('operation.verify.start'), icon: 'count', keys: 'n', run: start },
  ])
  if (error) return <LoadError error={error} />
  if (!data) return null
  return (
    <SettingsPage title={t('operation.verify')} actions={actions}>
      <p>{t('operation.verify.explain')}</p>
      {running && (
        <ProgressLine
          text={t('operation.verify.progress', { done: formatNumber(running.done), total: formatNumber(running.checks) })}
          done={running.done}
          total={running.checks}
        />
      )}
      {last === null ? running === null && <Empty icon="count" title={t('operation.verify.none')} /> : <LastRun last={last} />}
    </SettingsPage>
  )
}

function LastRun({ last }: { last: NonNullable<Runs['last']> }) {
  const { is_right, failure, checks, finished } = last
  const findings = checks.filter((check) => check.count > 0).toSorted((one, other) => Number(other.damage) - Number(one.damage))
  const passed = checks.filter((check) => check.count === 0)
  const time = formatDateTime(finished)
  if (failure !== null)
    return (
      <p class="problem">
        {t('operation.verify.failed')}, {time}: {inGerman(translateProblem, failure)}
      </p>
    )
  return (
    <>
      <output>
        <Badge tone={is_right ? 'good' : 'bad'}>{t(is_right ? 'operation.verify.right' : 'operation.verify.wrong')}</Badge>{' '}
        {t('operation.verify.finished', { count: formatNumber(checks.length), time })}
      </output>
      {findings.length > 0 && (
        <Panel>
          {findings.map((finding) => (
            <FindingSection key={finding.name} finding={finding} />
          ))}
        </Panel>
      )}
      {passed.length > 0 && (
        <details class="panel">
          <summary>{t('operation.verify.passed')}</summary>
          <ul>
            {passed.map(({ name, holds }) => (
              <li key={name}>{inGerman(translateProblem, holds)}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

const FindingSection = ({ finding: { holds, damage, count: total, objects } }: { finding: Finding }) => (
  <section class="finding">
    <h3>
      <Badge tone={damage ? 'bad' : 'warn'}>{t(damage ? 'operation.verify.damage' : 'operation.verify.review')}</Badge>
      {inGerman(translateProblem, holds)}
    </h3>
    <ShortTable
      title={`${inGerman(translateProblem, holds)} ${count('operation.verify.objects', total)}`}
      rows={objects.map((object, pk) => ({ ...object, object: object.pk, pk }))}
      columns={[
        {
          name: 'object',
          title: () => t('operation.verify.object'),
          cell: ({ model, object, name, page }) => {
            const text = name || `${model} ${object}`
            return page ? <a href={page}>{text}</a> : text
          },
        },
        {
          name: 'problem',
          title: () => t('operation.verify.problem'),
          cell: ({ problem }) => inGerman(translateProblem, problem),
        },
      ]}
    />
    {total > objects.length && <p class="help">{count('operation.verify.more', total - objects.length)}</p>}
  </section>
)
