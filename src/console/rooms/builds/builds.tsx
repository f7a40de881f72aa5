import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { defaultsOf, post } from '../../kit/api.ts'
import type { Column } from '../../kit/column.ts'
import { Field } from '../../kit/form.tsx'
import { FormDialog } from '../../kit/form-dialog.tsx'
import { Icon } from '../../kit/icon.tsx'
import { useCommands } from '../../kit/keys.ts'
import { date, t } from '../../kit/language.ts'
import { Empty, Page } from '../../kit/page.tsx'
import { navigate } from '../../kit/router.ts'
import { may } from '../../kit/session.ts'
import { Table } from '../../kit/table.tsx'
import { warn } from '../../kit/toast.tsx'
import { DueDate, Progress, StateBadge } from '../orders/order-shown.tsx'
import { type Build, FIELDS, facts, STATES } from './build-facts.ts'

const columns: readonly Column<Build>[] = [
  { name: 'reference', width: '9rem', cell: ({ pk, reference }) => <a href={`/build/${pk}/`}>{reference}</a> },
  {
    name: 'part',
    order: 'part__name',
    cell: ({ part, part_detail }) => (
      <a class="plain" href={`/part/${part}/`}>
        {part_detail?.full_name}
      </a>
    ),
  },
  { name: 'title', order: null, isWide: true, cell: ({ title }) => title },
  {
    name: 'completed',
    width: '11rem',
    isWide: true,
    cell: ({ completed, quantity }) => <Progress done={completed} of={quantity} title={t('builds.made')} />,
  },
  { name: 'status', width: '11rem', cell: (build) => <StateBadge order={build} states={STATES} /> },
  {
    name: 'target_date',
    width: '9rem',
    isWide: true,
    cell: ({ target_date, overdue }) => <DueDate day={target_date} isOverdue={overdue} />,
  },
  { name: 'priority', width: '6rem', align: 'end', isWide: true, isExtra: true, cell: ({ priority }) => priority },
  { name: 'creation_date', width: '9rem', isWide: true, isExtra: true, cell: ({ creation_date }) => date(creation_date) },
]

/** `/build/`: all build orders. */
export function Builds() {
  const isMaking = useSignal(false)
  const mayAdd = may('add', 'build')
  const make = () => {
    isMaking.value = true
  }
  useCommands(() => (mayAdd ? [{ keys: 'n', label: () => t('builds.new'), run: make }] : []), [mayAdd])
  const button = mayAdd && (
    <button type="button" class="primary" onClick={make}>
      <Icon name="plus" />
      {t('builds.new')}
    </button>
  )
  return (
    <Page title={t('builds.title')} actions={button} isFull>
      <Table
        facts={facts}
        columns={columns}
        filters={['active', 'status', 'overdue', 'part', 'assigned_to_me']}
        fixed={{ part_detail: 'true' }}
        to={({ pk }) => `/build/${pk}/`}
        title={t('builds.title')}
        empty={
          <Empty icon="wrench" title={t('builds.none')}>
            {button}
          </Empty>
        }
      />
      {isMaking.value && (
        <NewBuild
          onClose={() => {
            isMaking.value = false
          }}
        />
      )}
    </Page>
  )
}

/** Asks for what a new build order needs, and goes to its page. Its reference is the next one. */
function NewBuild({ onClose }: { onClose: () => void }) {
  const reference = useSignal<string | undefined>(undefined)
  useEffect(() => {
    defaultsOf(facts.path).then(
      (defaults) => {
        reference.value = String(defaults.reference ?? '')
      },
      (error: Error) => {
        warn(error.message)
        onClose()
      },
    )
  }, [])
  if (reference.value === undefined) return null
  return (
    <FormDialog<Build>
      title={t('builds.new')}
      facts={facts}
      start={{ reference: reference.value, part: null, quantity: '1', title: '' }}
      names={[...FIELDS.slice(0, 4), 'reference', ...FIELDS.slice(4)]}
      without={['notes']}
      own={(form) =>
        Object.fromEntries(
          ['part', 'quantity', 'title', 'reference'].map((name) => [name, () => <Field form={form} name={name} help={null} />]),
        )
      }
      send={async (values, key) => (await post<Build>(facts.path, values, key)).body}
      done={({ reference }) => t('builds.was-made', { reference })}
      onDone={({ pk }) => {
        onClose()
        navigate(`/build/${pk}/`)
      }}
      onClose={onClose}
    />
  )
}
