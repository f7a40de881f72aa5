import { useSignal } from '@preact/signals'
import { t } from '../../../kit/language/language.ts'
import { isDjango, type TemplateLanguage } from './template-language.ts'
import { describeVariable } from './variable-texts.ts'

type Properties = {
  language: TemplateLanguage
  /** The text of the template, whose syntax the inserted texts have. */
  text: string
  /** Writes a text at the cursor. */
  onInsert: (text: string) => void
}

type Variable = TemplateLanguage['variables'][number]

/** Below the text of a template: how it shows a QR code and the logo, and all variables of its kind, each with a button that inserts it. */
export function TemplateVariables({ language, text, onInsert }: Properties) {
  const django = isDjango(text)
  const examples = listExamples(language.variables, django)
  return (
    <details class="template-variables">
      <summary>{t('templates.variables')}</summary>
      <div>
        <p class="help">{t('templates.variables.about')}</p>
        <dl>
          {examples.map(({ title, example }) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>
                <code>{example}</code>
                <InsertButton name={title} onClick={() => onInsert(example)} />
              </dd>
            </div>
          ))}
        </dl>
        <ul>
          {language.variables.map((variable) => (
            <li key={variable.name}>
              <VariableEntry variable={variable} language={language} onInsert={onInsert} />
            </li>
          ))}
        </ul>
      </div>
    </details>
  )
}

/** Texts that show pictures: a code, and the logo of the installation. */
function listExamples(variables: readonly Variable[], django: boolean): { title: string; example: string }[] {
  const hasVariable = (wanted: string) => variables.some(({ name }) => name === wanted)
  const size = 'style="width: 12mm; height: 12mm" alt=""'
  return [
    ...(hasVariable('qr_data')
      ? [
          {
            title: t('templates.example.qr'),
            example: django
              ? `{% load barcode %}<img src="{% qrcode qr_data %}" ${size}>`
              : `<img src="{{ qr_data | qrcode }}" ${size}>`,
          },
        ]
      : []),
    {
      title: t('templates.example.logo'),
      example: django
        ? '{% load report %}<img src="{% logo_image %}" style="height: 8mm" alt="">'
        : '{% if logo != "" %}<img src="{{ logo }}" style="height: 8mm" alt="">{% endif %}',
    },
  ]
}

const InsertButton = ({ name, onClick }: { name: string; onClick: () => void }) => (
  <button type="button" class="quiet" aria-label={t('templates.insert-of', { name })} onClick={onClick}>
    {t('templates.insert')}
  </button>
)

/** The name of a variable, and what it holds. */
const VariableName = ({ variable: { name, about, is_list } }: { variable: Variable }) => (
  <span>
    <code>{name}</code>{' '}
    <small class="quiet-text">
      {is_list && `${t('templates.is-list')} · `}
      {describeVariable(about)}
    </small>
  </span>
)

type EntryProperties = { variable: Variable; language: TemplateLanguage; onInsert: (text: string) => void }

/** A variable, or the fields of one that is an object. They are listed once they are opened, as there are many. */
function VariableEntry({ variable, language, onInsert }: EntryProperties) {
  const { name, object, is_list, fields } = variable
  const isOpen = useSignal(false)
  const entry = is_list ? 'entry' : name
  const wrap = (value: string) => (is_list ? `{% for entry in ${name} %}{{ ${value} }}{% endfor %}` : `{{ ${value} }}`)
  const names = [...new Set([...fields, ...(object === null ? [] : (language.objects[object]?.fields ?? []))])]
  if (names.length === 0)
    return (
      <>
        <VariableName variable={variable} />
        <InsertButton name={name} onClick={() => onInsert(wrap(entry))} />
      </>
    )
  return (
    <details
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open
      }}
    >
      <summary>
        <VariableName variable={variable} />
      </summary>
      {isOpen.value && (
        <ul>
          {names.map((field) => (
            <li key={field}>
              <code>{`${name}.${field}`}</code>
              <InsertButton name={`${name}.${field}`} onClick={() => onInsert(wrap(`${entry}.${field}`))} />
            </li>
          ))}
        </ul>
      )}
    </details>
  )
}
