import completeMetadata from 'metadata:/api/build/{id}/complete/'
import scrapMetadata from 'metadata:/api/build/{id}/scrap-outputs/'
import { useSignal } from '@preact/signals'
import { Confirm } from '../../kit/form/confirm.tsx'
import { Field } from '../../kit/form/form.tsx'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import { count, formatWithUnit, t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { useRead } from '../../kit/page/data.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { Badge, Panel } from '../../kit/page/page.tsx'
import { showToast } from '../../kit/page/toast.tsx'
import { ApiError, type Page as ListPage, post, withQuery } from '../../kit/service/api.ts'
import { hasPermission } from '../../kit/service/session.ts'
import type { Column } from '../../kit/table/column.ts'
import { ShortTable } from '../../kit/table/short-table.tsx'
import { formatItemQuantity } from '../stock/stock-details.tsx'
import { type Build, findFailedTests, formatOutputName, type Output, type RequiredTest } from './build-details.ts'

type Properties = {
  build: Build
  outputs: readonly Output[]
  total: number
  canAct: boolean
  onDone: () => void
}

/**
 * Incomplete outputs, with their required tests, and actions that complete, scrap or delete the selected ones; without a selection, all of
 * them.
 */
export function Outputs({ build, outputs, total, canAct, onDone }: Properties) {
  const isTested = outputs.length > 0 && build.part_detail?.trackable === true && hasPermission('view', 'part')
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
  const selectedKeys = useSignal<ReadonlySet<number>>(new Set())
  const dialog = useSignal<'complete' | 'scrap' | 'delete' | undefined>(undefined)
  const createOpener = (openDialog: typeof dialog.value) => () => {
    dialog.value = openDialog
  }
  const close = createOpener(undefined)
  const handleDone = () => {
    selectedKeys.value = new Set()
    close()
    onDone()
  }
  const selectedOutputs = selectedKeys.value.size > 0 ? outputs.filter(({ pk }) => selectedKeys.value.has(pk)) : outputs
  useCommands(
    () =>
      canAct && outputs.length > 0
        ? [
            { keys: 'c', label: () => t('builds.complete-outputs'), run: createOpener('complete') },
            { label: () => t('builds.scrap'), run: createOpener('scrap') },
            { label: () => t('builds.delete-outputs'), run: createOpener('delete') },
          ]
        : [],
    [canAct, outputs.length > 0],
  )
  if (outputs.length === 0) return null
  const toggle = (output: Output) => {
    const next = new Set(selectedKeys.value)
    if (!next.delete(output.pk)) next.add(output.pk)
    selectedKeys.value = next
  }
  const columns: Column<Output>[] = [
    {
      name: 'part',
      title: () => t('builds.output-name'),
      cell: (output) => (
        <span class="output-name">
          {canAct && outputs.length > 1 && (
            <input
              type="checkbox"
              aria-label={t('builds.select-output', { output: formatOutputName(output) })}
              checked={selectedKeys.value.has(output.pk)}
              onChange={() => toggle(output)}
            />
          )}
          <a href={`/stock/item/${output.pk}/`}>{formatOutputName(output)}</a>
        </span>
      ),
    },
    { name: 'quantity', align: 'end', cell: formatItemQuantity },
  ]
  if (required.length > 0)
    columns.push({
      name: 'tests',
      title: () => t('builds.tests'),
      align: 'end',
      cell: (output) => {
        const failedTests = findFailedTests(output, required)
        return (
          <span title={failedTests.map(({ test_name }) => test_name).join(', ')}>
            <Badge tone={failedTests.length === 0 ? 'good' : 'warn'}>
              {t('builds.tests-passed', { passed: required.length - failedTests.length, all: required.length })}
            </Badge>
          </span>
        )
      },
    })
  const untested = selectedOutputs.filter((output) => findFailedTests(output, required).length > 0)
  return (
    <Panel
      title={t('builds.outputs')}
      actions={
        canAct && (
          <>
            <button type="button" onClick={createOpener('complete')}>
              <Icon name="check" />
              {selectedKeys.value.size > 0 ? count('builds.complete-some', selectedOutputs.length) : t('builds.complete-outputs')}
            </button>
            <button type="button" class="quiet" onClick={createOpener('scrap')}>
              {t('builds.scrap')}
            </button>
            <button type="button" class="quiet" onClick={createOpener('delete')}>
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
          customFields={(form) => ({
            location: () => <Field form={form} name="location" help={null} />,
            status: () => <Field form={form} name="status" help={null} />,
            notes: () => <Field form={form} name="notes" help={null} />,
          })}
          button={t('builds.complete-outputs')}
          send={(values, key) =>
            addOutputsToErrors(
              selectedOutputs,
              post(
                `/api/build/${build.pk}/complete/`,
                { ...values, outputs: selectedOutputs.map(({ pk }) => ({ output: pk })) },
                key,
              ),
            )
          }
          getSuccessMessage={() => count('builds.completed', selectedOutputs.length)}
          onDone={handleDone}
          onClose={close}
        >
          <OutputList outputs={selectedOutputs} />
          {untested.length > 0 && (
            <p class="problem">
              {t('builds.untested', {
                outputs: formatNames(untested.map(formatOutputName)),
                tests: formatNames([
                  ...new Set(untested.flatMap((output) => findFailedTests(output, required).map((test) => test.test_name))),
                ]),
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
            quantity: selectedOutputs.length === 1 ? String(selectedOutputs[0]?.quantity) : '',
            // scrapped outputs are not moved to completed ones unless the user selects that
            location: findCommonLocation(selectedOutputs),
            discard_allocations: false,
            notes: '',
          }}
          // an individual output can be scrapped in part; several are scrapped in full
          names={[
            ...(selectedOutputs.length === 1 && !selectedOutputs[0]?.serial ? ['quantity'] : []),
            'location',
            'notes',
            'discard_allocations',
          ]}
          without="rest"
          customFields={(form) => ({
            quantity: () => <Field form={form} name="quantity" help={null} />,
            location: () => <Field form={form} name="location" help={null} />,
            notes: () => <Field form={form} name="notes" help={null} />,
          })}
          button={t('builds.scrap')}
          isDangerous
          send={({ quantity: partialQuantity, ...values }, key) =>
            addOutputsToErrors(
              selectedOutputs,
              post(
                `/api/build/${build.pk}/scrap-outputs/`,
                {
                  ...values,
                  outputs: selectedOutputs.map(({ pk, quantity }) => ({
                    output: pk,
                    quantity: selectedOutputs.length === 1 ? partialQuantity : quantity,
                  })),
                },
                key,
              ),
            )
          }
          getSuccessMessage={() => count('builds.scrapped', selectedOutputs.length)}
          onDone={handleDone}
          onClose={close}
        >
          <OutputList outputs={selectedOutputs} />
        </FormDialog>
      )}
      {dialog.value === 'delete' && (
        <Confirm
          title={count('builds.delete-ask', selectedOutputs.length)}
          button={t('delete')}
          onConfirm={async (key) => {
            await post(
              `/api/build/${build.pk}/delete-outputs/`,
              { outputs: selectedOutputs.map(({ pk }) => ({ output: pk })) },
              key,
            )
            showToast(count('builds.deleted', selectedOutputs.length))
            handleDone()
          }}
          onClose={close}
        >
          <OutputList outputs={selectedOutputs} />
          <p>{t('builds.delete-text')}</p>
        </Confirm>
      )}
    </Panel>
  )
}

/** Common location of the outputs; null if they have none or several. */
function findCommonLocation(outputs: readonly Output[]): number | null {
  const [onlyLocation = null, ...others] = new Set(outputs.map(({ location }) => location))
  return others.length === 0 ? onlyLocation : null
}

/** Adds the names of outputs to the errors of an action on several of them. */
async function addOutputsToErrors<T>(outputs: readonly Output[], work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ApiError) || !Array.isArray(error.errors.outputs)) throw error
    const { outputs: _, ...others } = error.fields
    const outputErrors = (error.errors.outputs as Record<string, string[]>[]).flatMap((itemErrors, index) =>
      Object.values(itemErrors)
        .flat()
        .map((text) => ({ text, output: outputs[index] as Output })),
    )
    const messages = [...Map.groupBy(outputErrors, ({ text }) => text)].map(
      ([text, entries]) => `${formatNames(entries.map(({ output }) => formatOutputName(output)))}: ${text}`,
    )
    const fields = { ...others, non_field_errors: messages }
    throw new ApiError(error.status, error.code, messages.join(' '), fields, error.errors)
  }
}

/** The first names, and the number of further ones. */
const formatNames = (names: readonly string[]): string =>
  names.length > 5 ? `${names.slice(0, 5).join(', ')} ${t('parts.and-more', { count: names.length - 5 })}` : names.join(', ')

const OutputList = ({ outputs }: { outputs: readonly Output[] }) => (
  <p class="about">
    <strong>
      {formatNames(
        outputs.map((output) => `${formatOutputName(output)} (${formatWithUnit(output.quantity, output.part_detail?.units)})`),
      )}
    </strong>
  </p>
)
