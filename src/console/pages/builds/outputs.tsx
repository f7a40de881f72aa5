import completeMetadata from 'metadata:/api/build/{id}/complete/'
import scrapMetadata from 'metadata:/api/build/{id}/scrap-outputs/'
import { useSignal } from '@preact/signals'
import { Confirm } from '../../kit/form/confirm.tsx'
import { Field } from '../../kit/form/form.tsx'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import { count, quantity, t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { useRead } from '../../kit/page/data.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { Badge, Panel } from '../../kit/page/page.tsx'
import { showToast } from '../../kit/page/toast.tsx'
import { ApiError, type Page as ListPage, post, withQuery } from '../../kit/service/api.ts'
import { may } from '../../kit/service/session.ts'
import type { Column } from '../../kit/table/column.ts'
import { ShortTable } from '../../kit/table/short-table.tsx'
import { quantityOf } from '../stock/stock-details.tsx'
import { type Build, failing, type Output, outputName, type RequiredTest } from './build-details.ts'

type Properties = {
  build: Build
  outputs: readonly Output[]
  total: number
  mayAct: boolean
  onDone: () => void
}

/**
 * Incomplete outputs, with their required tests: outputs are completed, scrapped and deleted, either the selected ones or, without a
 * selection, all of them.
 */
export function Outputs({ build, outputs, total, mayAct, onDone }: Properties) {
  const isTested = outputs.length > 0 && build.part_detail?.trackable === true && may('view', 'part')
  const { data } = useRead<{ tests?: ListPage<RequiredTest> }>(
    isTested
      ? {
          tests: withQuery('/api/part/test-template/', {
            part: build.part,
            include_inherited: true,
            required: true,
            enabled: true,
            limit: 500,
          }),
        }
      : {},
  )
  const required = data?.tests?.body.results ?? []
  const ticked = useSignal<ReadonlySet<number>>(new Set())
  const dialog = useSignal<'complete' | 'scrap' | 'delete' | undefined>(undefined)
  const start = (openDialog: typeof dialog.value) => () => {
    dialog.value = openDialog
  }
  const close = start(undefined)
  const handleDone = () => {
    ticked.value = new Set()
    close()
    onDone()
  }
  const chosen = ticked.value.size > 0 ? outputs.filter(({ pk }) => ticked.value.has(pk)) : outputs
  useCommands(
    () =>
      mayAct && outputs.length > 0
        ? [
            { keys: 'c', label: () => t('builds.complete-outputs'), run: start('complete') },
            { label: () => t('builds.scrap'), run: start('scrap') },
            { label: () => t('builds.delete-outputs'), run: start('delete') },
          ]
        : [],
    [mayAct, outputs.length > 0],
  )
  if (outputs.length === 0) return null
  const tick = (output: Output) => {
    const next = new Set(ticked.value)
    if (!next.delete(output.pk)) next.add(output.pk)
    ticked.value = next
  }
  const columns: Column<Output>[] = [
    {
      name: 'part',
      title: () => t('builds.output-name'),
      cell: (output) => (
        <span class="output-name">
          {mayAct && outputs.length > 1 && (
            <input
              type="checkbox"
              aria-label={t('builds.tick', { output: outputName(output) })}
              checked={ticked.value.has(output.pk)}
              onChange={() => tick(output)}
            />
          )}
          <a href={`/stock/item/${output.pk}/`}>{outputName(output)}</a>
        </span>
      ),
    },
    { name: 'quantity', align: 'end', cell: quantityOf },
  ]
  if (required.length > 0)
    columns.push({
      name: 'tests',
      title: () => t('builds.tests'),
      align: 'end',
      cell: (output) => {
        const open = failing(output, required)
        return (
          <span title={open.map(({ test_name }) => test_name).join(', ')}>
            <Badge tone={open.length === 0 ? 'good' : 'warn'}>
              {t('builds.tests-passed', { passed: required.length - open.length, all: required.length })}
            </Badge>
          </span>
        )
      },
    })
  const untested = chosen.filter((output) => failing(output, required).length > 0)
  return (
    <Panel
      title={t('builds.outputs')}
      actions={
        mayAct && (
          <>
            <button type="button" onClick={start('complete')}>
              <Icon name="check" />
              {ticked.value.size > 0 ? count('builds.complete-some', chosen.length) : t('builds.complete-outputs')}
            </button>
            <button type="button" class="quiet" onClick={start('scrap')}>
              {t('builds.scrap')}
            </button>
            <button type="button" class="quiet" onClick={start('delete')}>
              {t('delete')}
            </button>
          </>
        )
      }
    >
      <ShortTable title={t('builds.outputs')} rows={outputs} columns={columns} />
      {total > outputs.length && <p class="quiet-text">{t('builds.more-outputs', { shown: outputs.length, count: total })}</p>}
      {dialog.value === 'complete' && (
        <FormDialog<unknown>
          title={t('builds.complete-outputs')}
          // uses the statuses of stock
          metadata={{ ...completeMetadata, path: '/api/stock/' }}
          start={{ location: build.destination, status: 10, accept_incomplete_allocation: false, notes: '' }}
          names={['location', 'status', 'accept_incomplete_allocation', 'notes']}
          without="rest"
          own={(form) => ({
            location: () => <Field form={form} name="location" help={null} />,
            status: () => <Field form={form} name="status" help={null} />,
            notes: () => <Field form={form} name="notes" help={null} />,
          })}
          button={t('builds.complete-outputs')}
          send={(values, key) =>
            byName(
              chosen,
              post(`/api/build/${build.pk}/complete/`, { ...values, outputs: chosen.map(({ pk }) => ({ output: pk })) }, key),
            )
          }
          getSuccessMessage={() => count('builds.completed', chosen.length)}
          onDone={handleDone}
          onClose={close}
        >
          <OutputList outputs={chosen} />
          {untested.length > 0 && (
            <p class="problem">
              {t('builds.untested', {
                outputs: some(untested.map(outputName)),
                tests: some([...new Set(untested.flatMap((output) => failing(output, required).map((test) => test.test_name)))]),
              })}
            </p>
          )}
        </FormDialog>
      )}
      {dialog.value === 'scrap' && (
        <FormDialog<unknown>
          title={t('builds.scrap')}
          metadata={{ ...scrapMetadata, fields: { ...scrapMetadata.fields, quantity: { kind: 'number' } } }}
          start={{
            quantity: chosen.length === 1 ? String(chosen[0]?.quantity) : '',
            // scrapped outputs are not moved to completed ones unless the user selects that
            location: commonLocationOf(chosen),
            discard_allocations: false,
            notes: '',
          }}
          // part of a single output; several are scrapped in full
          names={[...(chosen.length === 1 && !chosen[0]?.serial ? ['quantity'] : []), 'location', 'notes', 'discard_allocations']}
          without="rest"
          own={(form) => ({
            quantity: () => <Field form={form} name="quantity" help={null} />,
            location: () => <Field form={form} name="location" help={null} />,
            notes: () => <Field form={form} name="notes" help={null} />,
          })}
          button={t('builds.scrap')}
          isDangerous
          send={({ quantity: part, ...values }, key) =>
            byName(
              chosen,
              post(
                `/api/build/${build.pk}/scrap-outputs/`,
                {
                  ...values,
                  outputs: chosen.map(({ pk, quantity }) => ({ output: pk, quantity: chosen.length === 1 ? part : quantity })),
                },
                key,
              ),
            )
          }
          getSuccessMessage={() => count('builds.scrapped', chosen.length)}
          onDone={handleDone}
          onClose={close}
        >
          <OutputList outputs={chosen} />
        </FormDialog>
      )}
      {dialog.value === 'delete' && (
        <Confirm
          title={count('builds.delete-ask', chosen.length)}
          button={t('delete')}
          onConfirm={async (key) => {
            await post(`/api/build/${build.pk}/delete-outputs/`, { outputs: chosen.map(({ pk }) => ({ output: pk })) }, key)
            showToast(count('builds.deleted', chosen.length))
            handleDone()
          }}
          onClose={close}
        >
          <OutputList outputs={chosen} />
          <p>{t('builds.delete-text')}</p>
        </Confirm>
      )}
    </Panel>
  )
}

/** Common location of the outputs; null if they have none or several. */
function commonLocationOf(outputs: readonly Output[]): number | null {
  const [onlyLocation = null, ...others] = new Set(outputs.map(({ location }) => location))
  return others.length === 0 ? onlyLocation : null
}

/** Adds the names of outputs to the errors of an action on several of them. */
async function byName<T>(outputs: readonly Output[], work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ApiError) || !Array.isArray(error.errors.outputs)) throw error
    const { outputs: _, ...others } = error.fields
    const wrong = (error.errors.outputs as Record<string, string[]>[]).flatMap((itemErrors, at) =>
      Object.values(itemErrors)
        .flat()
        .map((text) => ({ text, output: outputs[at] as Output })),
    )
    const messages = [...Map.groupBy(wrong, ({ text }) => text)].map(
      ([text, all]) => `${some(all.map(({ output }) => outputName(output)))}: ${text}`,
    )
    const fields = { ...others, non_field_errors: messages }
    throw new ApiError(error.status, error.code, messages.join(' '), fields, error.errors)
  }
}

/** The first names, and the number of further ones. */
const some = (names: readonly string[]): string =>
  names.length > 5 ? `${names.slice(0, 5).join(', ')} ${t('parts.and-more', { count: names.length - 5 })}` : names.join(', ')

const OutputList = ({ outputs }: { outputs: readonly Output[] }) => (
  <p class="about">
    <strong>
      {some(outputs.map((output) => `${outputName(output)} (${quantity(output.quantity, output.part_detail?.units)})`))}
    </strong>
  </p>
)
