import metadata from 'metadata:/api/part/parameter/'
import templateMetadata from 'metadata:/api/part/parameter/template/'
import { useSignal } from '@preact/signals'
import { Control, Field, type Form } from '../../kit/form/form.tsx'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import { getSource } from '../../kit/form/reference.ts'
import { ReferenceField } from '../../kit/form/reference-field.tsx'
import { useRowDeletion } from '../../kit/grid/rows.tsx'
import { label, t } from '../../kit/language/language.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { Panel } from '../../kit/page/page.tsx'
import { post } from '../../kit/service/api.ts'
import type { FieldMetadata } from '../../kit/service/field-metadata.ts'
import { EditCell } from '../../kit/table/edit-cell.tsx'
import { formatValue } from '../../kit/table/parameter-filters.tsx'
import { listChoices, type ParameterTemplate } from '../../kit/table/parameter-query.ts'
import { ShortTable } from '../../kit/table/short-table.tsx'
import type { Parameter } from './part-requests.ts'

type Properties = {
  part: number
  parameters: readonly Parameter[]
  canChange: boolean
  reload: () => void
  /** Whether a parameter is being added, with the callbacks that start and end that. */
  isAdding: boolean
  onAdd: () => void
  onClose: () => void
}

/** The parameters of a part: values are edited in place, in any compatible unit. */
export function ParametersPanel({ part, parameters, canChange, reload, isAdding, onAdd, onClose }: Properties) {
  const deletion = useRowDeletion<Parameter>({
    path: metadata.path,
    getName: ({ template_detail }) => template_detail?.name ?? '',
    onChanged: reload,
  })
  if (parameters.length === 0 && !isAdding) return null
  return (
    <Panel
      title={t('parts.parameters')}
      actions={
        canChange && (
          <button type="button" class="quiet" onClick={onAdd}>
            <Icon name="plus" />
            {t('parts.add-parameter')}
          </button>
        )
      }
    >
      {parameters.length > 0 && (
        <ShortTable
          title={t('parts.parameters')}
          rows={parameters}
          columns={[
            { name: 'name', cell: ({ template_detail }) => template_detail?.name },
            {
              name: 'data',
              cell: (parameter) =>
                canChange ? (
                  <EditCell
                    metadata={{ ...metadata, fields: { ...metadata.fields, data: getValueMetadata(parameter.template_detail) } }}
                    name="data"
                    row={parameter}
                    onSaved={reload}
                  >
                    {formatValue(parameter)}
                  </EditCell>
                ) : (
                  formatValue(parameter)
                ),
            },
            ...(canChange
              ? [
                  {
                    name: 'delete',
                    title: () => t('actions'),
                    align: 'end' as const,
                    width: '5rem',
                    cell: deletion.renderButton,
                  },
                ]
              : []),
          ]}
        />
      )}
      {isAdding && <AddParameter part={part} onDone={reload} onClose={onClose} />}
      {deletion.dialog}
    </Panel>
  )
}

/** Field metadata for the values of a parameter: a choice if it has choices. */
export function getValueMetadata(template: ParameterTemplate | null | undefined): FieldMetadata {
  if (template?.checkbox) return { kind: 'choice', choices: ['True', 'False'] }
  const choices = template ? listChoices(template) : []
  return choices.length > 0 ? { kind: 'choice', choices } : { kind: 'text', maxLength: 500 }
}

/** Asks for a parameter and its value; a parameter that does not exist is created first. */
function AddParameter({ part, onDone, onClose }: { part: number; onDone: () => void; onClose: () => void }) {
  const template = useSignal<ParameterTemplate | undefined>(undefined)
  const isNew = useSignal(false)
  if (isNew.value)
    return (
      <NewParameterTemplate
        onCreated={(created) => {
          template.value = created
          isNew.value = false
        }}
        onClose={onClose}
      />
    )
  return (
    <FormDialog<unknown>
      title={t('parts.add-parameter')}
      metadata={metadata}
      start={{ part, template: template.value?.pk ?? null, data: '' }}
      names={['template', 'data']}
      without="rest"
      customFields={(form) => ({
        template: () => (
          <>
            <ReferenceField<ParameterTemplate>
              {...(getSource('parameterTemplate') as object as { url: string; getTitle: (row: ParameterTemplate) => string })}
              form={form}
              name="template"
              title={t('parts.parameter')}
              help={null}
              onPick={(picked) => {
                template.value = picked
                form.values.value = { ...form.values.value, data: '' }
              }}
            />
            <button
              type="button"
              class="link"
              onClick={() => {
                isNew.value = true
              }}
            >
              {t('parts.new-template')}
            </button>
          </>
        ),
        data: () => (
          <Field
            form={form}
            name="data"
            title={label('data')}
            help={template.value?.units ? t('parts.value-help', { units: template.value.units }) : null}
            control={(attributes) => (
              <Control
                metadata={getValueMetadata(template.value)}
                value={form.values.value.data}
                onValue={(data) => {
                  form.values.value = { ...form.values.value, data }
                }}
                attributes={attributes}
              />
            )}
          />
        ),
      })}
      button={t('save')}
      send={(values, key) => post(metadata.path, values, key)}
      getSuccessMessage={() => t('saved')}
      onDone={() => {
        onClose()
        onDone()
      }}
      onClose={onClose}
    />
  )
}

/** The form for a new parameter template: its title, its fields and their start. */
export const createTemplateForm = () => ({
  title: t('parts.new-template'),
  start: { name: '', units: '', description: '', choices: '', checkbox: false, selectionlist: null, unique: 0, model_type: '' },
  names: ['name', 'units', 'choices', 'selectionlist', 'checkbox', 'description', 'unique', 'model_type'],
  without: 'rest' as const,
  customFields: (form: Form) => ({
    name: () => <Field form={form} name="name" help={null} />,
    units: () => <Field form={form} name="units" help={t('parts.template-units-help')} />,
    choices: () => <Field form={form} name="choices" help={t('parts.template-choices-help')} />,
    checkbox: () => <Field form={form} name="checkbox" help={null} />,
    description: () => <Field form={form} name="description" help={null} />,
  }),
})

/** Creates a parameter for parts. */
export const NewParameterTemplate = ({
  onCreated,
  onClose,
}: {
  onCreated: (created: ParameterTemplate) => void
  onClose: () => void
}) => (
  <FormDialog<ParameterTemplate>
    {...createTemplateForm()}
    metadata={templateMetadata}
    send={async (values, key) => (await post<ParameterTemplate>(templateMetadata.path, values, key)).body}
    onDone={onCreated}
    onClose={onClose}
  />
)
