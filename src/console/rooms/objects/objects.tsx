import returnOrderFacts from 'facts:/api/order/ro/'
import type { ComponentChildren } from 'preact'
import { withQuery } from '../../kit/api.ts'
import { useRead } from '../../kit/data.ts'
import type { FieldFacts, ResourceFacts } from '../../kit/facts.ts'
import { date, label, moment, number, t } from '../../kit/language.ts'
import { Facts, Page, type PageProperties, Panel } from '../../kit/page.tsx'
import { Refused } from '../../kit/refused.tsx'

// Objects that have no room of their own yet: whatever names their page leads to all that the interface tells of them.

type Shown = Record<string, unknown>

/** Where what a field refers to has its page. */
const PAGES: Record<string, string> = { part: '/part/', supplier: '/company/', customer: '/company/', manufacturer: '/company/' }

/** What tells nothing to people. */
const LEFT_OUT = new Set(['pk', 'barcode_hash', 'notes', 'image', 'thumbnail', 'status', 'url'])

type Properties = PageProperties & {
  facts: ResourceFacts
  /** What of it is asked for beside its fields. */
  details: readonly string[]
  /** The field that it is called by. */
  name: string
}

function ObjectPage({ at, facts, details, name }: Properties) {
  const query = Object.fromEntries(details.map((detail) => [`${detail}_detail`, true]))
  const { data, refusal } = useRead<{ object: Shown }>({ object: withQuery(`${facts.path}${at.pk}/`, query) })
  if (refusal) return <Refused refusal={refusal} />
  if (!data) return null
  const { body } = data.object
  const rows = Object.entries(facts.fields)
    .filter(([field, { kind }]) => !LEFT_OUT.has(field) && kind !== 'structure' && field in body)
    .map(([field, known]) => [label(field), inWords(field, known, body)] as const)
  return (
    <Page title={String(body[name])}>
      <div class="columns">
        <Panel>
          <Facts rows={rows} />
        </Panel>
        {typeof body.notes === 'string' && body.notes !== '' && (
          <Panel title={label('notes')}>
            <p class="notes">{body.notes}</p>
          </Panel>
        )}
      </div>
    </Page>
  )
}

/** A value as people read it; what it refers to by its name, with its page. */
function inWords(field: string, { kind }: FieldFacts, body: Shown): ComponentChildren {
  const value = body[field]
  if (value === null || value === undefined || value === '') return ''
  const detail = body[`${field}_detail`] as Shown | null | undefined
  if (detail) {
    const text = String(detail.full_name ?? detail.name ?? detail.reference ?? detail.code ?? detail.username ?? detail.pk)
    const page = PAGES[field]
    return page ? <a href={`${page}${value}/`}>{text}</a> : text
  }
  if (kind === 'boolean') return value ? t('yes') : t('no')
  if (kind === 'date') return date(String(value))
  if (kind === 'moment') return moment(String(value))
  return kind === 'number' && typeof value === 'number' ? number(value) : String(value)
}

/** `/order/return-order/:pk/` */
export const ReturnOrderPage = (properties: PageProperties) => (
  <ObjectPage {...properties} facts={returnOrderFacts} details={['customer']} name="reference" />
)
