import metadata from 'metadata:/api/stock/test/'
import { Field, type Form, type Values } from '../../kit/form/form.tsx'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import { useRowDeletion } from '../../kit/grid/rows.tsx'
import { count, formatDateTime, label, t } from '../../kit/language/language.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { Badge, Panel } from '../../kit/page/page.tsx'
import { type Page, post, toFileUrl } from '../../kit/service/api.ts'
import type { ResourceMetadata } from '../../kit/service/field-metadata.ts'
import { hasPermission } from '../../kit/service/session.ts'
import { ShortTable } from '../../kit/table/short-table.tsx'

/** A test that stock of a part must or may pass. */
export type Test = {
  pk: number
  test_name: string
  description: string | null
  enabled: boolean
  required: boolean
  requires_value: boolean
  requires_attachment: boolean
}

/** A result of a test of an item. */
export type TestResult = {
  pk: number
  etag?: string
  template: number
  template_detail: Test
  result: boolean
  value: string
  notes: string
  attachment: string | null
  date: string
  user_detail: { username: string } | null
}

/** A test with its newest result, and the number of older ones. */
type TestLine = { pk: number; test: Test; newest: TestResult | undefined; older: number }

/**
 * Each test of an item with its newest result: required ones first, even without a result, then the others. A disabled test is included if
 * it has a result.
 * @param results newest first
 */
function listTestLines(tests: readonly Test[], results: readonly TestResult[]): TestLine[] {
  const testsByKey = new Map(tests.filter(({ enabled }) => enabled).map((test) => [test.pk, test]))
  for (const { template, template_detail } of results) if (!testsByKey.has(template)) testsByKey.set(template, template_detail)
  const lines = [...testsByKey.values()].map((test): TestLine => {
    const [newest, ...olderResults] = results.filter(({ template }) => template === test.pk)
    return { pk: test.pk, test, newest, older: olderResults.length }
  })
  return lines.toSorted((a, b) => Number(b.test.required) - Number(a.test.required))
}

/** The required tests whose newest result is not a pass. */
export const findMissingTests = (tests: readonly Test[], results: readonly TestResult[]): Test[] =>
  listTestLines(tests, results)
    .filter(({ test, newest }) => test.required && test.enabled && newest?.result !== true)
    .map(({ test }) => test)

type PanelProperties = {
  tests: readonly Test[]
  results: Page<TestResult>
  onAdd: () => void
  reload: () => void
}

/** The tests of an item, with their results and the missing required ones. */
export function TestsPanel({ tests, results, onAdd, reload }: PanelProperties) {
  const deletion = useRowDeletion<TestResult>({
    path: metadata.path,
    getName: ({ template_detail: { test_name } }) => t('stock.test-result-of', { test: test_name }),
    onChanged: reload,
  })
  const lines = listTestLines(tests, results.results)
  const missingCount = findMissingTests(tests, results.results).length
  const canDelete = hasPermission('delete', 'stock')
  return (
    <Panel
      title={t('stock.tests')}
      actions={
        hasPermission('add', 'stock') && (
          <button type="button" class="quiet" onClick={onAdd}>
            <Icon name="plus" />
            {t('stock.test-add')}
          </button>
        )
      }
    >
      {lines.some(({ test }) => test.required) && (
        <p class="test-state">
          {missingCount > 0 ? (
            <Badge tone="warn">{count('stock.tests-missing', missingCount)}</Badge>
          ) : (
            <Badge tone="good">{t('stock.tests-passed')}</Badge>
          )}
        </p>
      )}
      {lines.length === 0 ? (
        <p class="quiet-text">{t('stock.tests-none')}</p>
      ) : (
        <ShortTable
          title={t('stock.tests')}
          rows={lines}
          columns={[
            {
              name: 'test',
              title: () => label('test'),
              cell: ({ test }) => (
                <>
                  {test.test_name}
                  <small>{[test.required && t('stock.test-required'), test.description].filter(Boolean).join(' · ')}</small>
                </>
              ),
            },
            {
              name: 'result',
              title: () => label('result'),
              cell: ({ test, newest, older }) => (
                <>
                  {newest ? (
                    <Badge tone={newest.result ? 'good' : 'bad'}>{t(newest.result ? 'stock.passed' : 'stock.failed')}</Badge>
                  ) : (
                    <span class={test.required ? 'alert-text' : 'quiet-text'}>{t('stock.no-result')}</span>
                  )}{' '}
                  {newest?.value}
                  {newest && (
                    <small>
                      {[formatDateTime(newest.date), newest.user_detail?.username, newest.notes].filter(Boolean).join(' · ')}
                      {older > 0 && ` · ${count('stock.results-older', older)}`}
                    </small>
                  )}
                  {newest?.attachment && (
                    <small>
                      <a href={toFileUrl(newest.attachment)} target="_blank" rel="noreferrer">
                        {label('attachment')}
                      </a>
                    </small>
                  )}
                </>
              ),
            },
            ...(canDelete
              ? [
                  {
                    name: 'end',
                    title: () => '',
                    width: '3rem',
                    cell: ({ newest }: TestLine) => newest && deletion.renderButton(newest),
                  },
                ]
              : []),
          ]}
        />
      )}
      {results.count > results.results.length && (
        <p class="quiet-text">{t('stock.results-shown', { count: results.results.length, all: results.count })}</p>
      )}
      {deletion.dialog}
    </Panel>
  )
}

/** Values take one line; a test can be entered by a name that the part does not have yet. */
const resultMetadata: ResourceMetadata = {
  ...metadata,
  fields: {
    ...metadata.fields,
    notes: { ...metadata.fields.notes, kind: 'lines' },
    template: { ...metadata.fields.template, kind: 'integer', isNullable: true },
  },
}

const FIELDS = ['template', 'result', 'value', 'notes']

type AddProperties = {
  item: number
  tests: readonly Test[]
  results: readonly TestResult[]
  onDone: () => void
  onClose: () => void
}

/** Asks for a test result; a missing required test is selected first. */
export function AddTestResult({ item, tests, results, onDone, onClose }: AddProperties) {
  const enabledTests = tests.filter(({ enabled }) => enabled)
  const first = findMissingTests(tests, results)[0] ?? enabledTests[0]
  const findTest = (values: Values) => enabledTests.find(({ pk }) => pk === values.template)
  return (
    <FormDialog<Values>
      title={t('stock.test-add')}
      metadata={resultMetadata}
      start={{ template: first?.pk ?? null, test: '', result: true, value: '', notes: '', attachment: null }}
      names={[...FIELDS, 'attachment']}
      without={['stock_item', 'test']}
      customFields={(form) => ({
        template: () => <TestField form={form} tests={enabledTests} />,
        result: () => <Field form={form} name="result" title={t('stock.test-did-pass')} help={null} />,
        value: () => (
          <Field
            form={form}
            name="value"
            help={findTest(form.values.value)?.requires_value ? t('stock.test-requires-value') : null}
          />
        ),
        notes: () => <Field form={form} name="notes" title={label('note')} help={null} />,
        attachment: () => <FileField form={form} isFileRequired={findTest(form.values.value)?.requires_attachment === true} />,
      })}
      button={t('save')}
      send={async (values, key) => {
        const body = Object.entries<unknown>({ ...values, stock_item: item }).filter(
          ([, value]) => value !== null && value !== '',
        )
        if (values.attachment instanceof File) {
          const formData = new FormData()
          for (const [name, value] of body) formData.set(name, value instanceof File ? value : String(value))
          await post(metadata.path, formData, key)
        } else await post(metadata.path, Object.fromEntries(body), key)
        return values
      }}
      getSuccessMessage={(values) =>
        t(values.result ? 'stock.test-passed' : 'stock.test-failed', {
          test: findTest(values)?.test_name ?? String(values.test),
        })
      }
      onDone={onDone}
      onClose={onClose}
    />
  )
}

/** Selects the test: one of the part, or another by its name. */
function TestField({ form, tests }: { form: Form; tests: readonly Test[] }) {
  const chosen = form.values.value.template as number | null
  const set = (template: number | null) => {
    form.values.value = { ...form.values.value, template, test: '' }
  }
  return (
    <div class="fields">
      {tests.length > 0 && (
        <Field
          form={form}
          name="template"
          title={label('test')}
          help={null}
          control={(attributes) => (
            <select
              {...attributes}
              value={chosen === null ? '' : String(chosen)}
              onChange={({ currentTarget: { value } }) => set(value === '' ? null : Number(value))}
            >
              {tests.map(({ pk, test_name, required }) => (
                <option key={pk} value={String(pk)}>
                  {required ? `${test_name} (${t('stock.test-required')})` : test_name}
                </option>
              ))}
              <option value="">{t('stock.test-other')}</option>
            </select>
          )}
        />
      )}
      {chosen === null && <Field form={form} name="test" title={t('stock.test-name')} help={t('stock.test-name-help')} />}
    </div>
  )
}

const FileField = ({ form, isFileRequired }: { form: Form; isFileRequired: boolean }) => (
  <Field
    form={form}
    name="attachment"
    help={isFileRequired ? t('stock.test-requires-file') : null}
    control={(attributes) => (
      <input
        {...attributes}
        type="file"
        onChange={(event) => {
          form.values.value = { ...form.values.value, attachment: event.currentTarget.files?.[0] ?? null }
        }}
      />
    )}
  />
)
