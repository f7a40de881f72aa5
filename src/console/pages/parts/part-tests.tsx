import metadata from 'metadata:/api/part/test-template/'
import { useEffect } from 'preact/hooks'
import { Field } from '../../kit/form/form.tsx'
import type { EditorProperties, GridColumn } from '../../kit/grid/grid.tsx'
import { RowsPanel } from '../../kit/grid/rows-panel.tsx'
import { formatNumber, label, t } from '../../kit/language/language.ts'
import { Icon } from '../../kit/page/icon.tsx'
import type { Part } from './part-details.tsx'
import type { TestTemplate } from './part-requests.ts'

const FLAGS = ['required', 'enabled', 'requires_value', 'requires_attachment'] as const
const FORM_FIELDS = ['test_name', 'description', 'choices', 'required', 'requires_value', 'requires_attachment']

/** Toggles a flag as soon as its cell is opened by Enter or a press. */
function ToggleFlag({ row, save, name }: EditorProperties<TestTemplate> & { name: (typeof FLAGS)[number] }) {
  useEffect(() => save({ [name]: !row[name] }), [])
  return null
}

const flagColumns = FLAGS.map(
  (name): GridColumn<TestTemplate> => ({
    name,
    title: () => t(`parts.short.${name}`),
    width: '5.5rem',
    isWide: name === 'enabled',
    isDesk: name.startsWith('requires'),
    cell: (row) => (
      <span class="flag">
        {row[name] && <Icon name="check" />}
        <span class="visually-hidden">{row[name] ? t('yes') : t('no')}</span>
      </span>
    ),
    edit: (properties) => <ToggleFlag {...properties} name={name} />,
  }),
)

type Properties = {
  part: Part
  tests: readonly TestTemplate[]
  rights: { add: boolean; change: boolean; delete: boolean }
  reload: () => void
}

/** The tests that stock of a trackable part must pass, including those of its templates. */
export function TestsPanel({ part, tests, rights, reload }: Properties) {
  if (!part.trackable && tests.length === 0) return null
  const isOwn = (test: TestTemplate) => test.part === part.pk
  const columns: GridColumn<TestTemplate>[] = [
    {
      name: 'test_name',
      cell: (test) => (
        <>
          {test.test_name}
          {!isOwn(test) && (
            <small>
              <a href={`/part/${test.part}/`}>{t('parts.of-template')}</a>
            </small>
          )}
        </>
      ),
      edit: true,
    },
    { name: 'description', isWide: true, cell: ({ description }) => <small>{description}</small>, edit: true },
    ...flagColumns,
    {
      name: 'results',
      title: () => t('parts.results'),
      align: 'end',
      width: '5rem',
      isDesk: true,
      cell: ({ results }) => formatNumber(results),
    },
  ]
  return (
    <RowsPanel<TestTemplate>
      title={t('parts.tests')}
      metadata={metadata}
      rows={tests}
      columns={columns}
      rights={{ ...rights, add: rights.add && (part.testable || part.trackable) }}
      isOwn={isOwn}
      getName={({ test_name }) => t('parts.test-named', { test: test_name })}
      getLossWarning={({ results }) => (results > 0 ? t('parts.delete-test-text', { count: formatNumber(results) }) : undefined)}
      emptyText={t('parts.no-tests')}
      isSecondary
      addForm={{
        title: t('parts.new-test'),
        start: {
          part: part.pk,
          test_name: '',
          description: '',
          choices: '',
          required: true,
          requires_value: false,
          requires_attachment: false,
          enabled: true,
        },
        names: FORM_FIELDS,
        without: 'rest',
        customFields: (form) =>
          Object.fromEntries(
            FORM_FIELDS.map((name) => [name, () => <Field form={form} name={name} title={label(name)} help={null} />]),
          ),
      }}
      onChanged={reload}
    />
  )
}
