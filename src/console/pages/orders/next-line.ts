import type { Source } from '../../kit/form/combobox.tsx'
import type { Values } from '../../kit/form/form.tsx'
import { t } from '../../kit/language/language.ts'
import type { NextLine } from './lines.tsx'
import type { PartBrief } from './order.ts'
import { pasteLines } from './paste.ts'

type Options<Choice> = Pick<NextLine<Choice>, 'title' | 'placeholder' | 'fallback'> & {
  source: Source<Choice>
  /** The strings that identify an object in a pasted table: its numbers and names. */
  getNames: (choice: Choice) => readonly (string | null | undefined)[]
  /** URL of the lines. */
  path: string
  /** Builds the body of a new line. @param key of the selected object */
  createBody: (key: number, quantity: number | string) => Values | Promise<Values>
  /** From `useAddedRow`. */
  add: (createBody: () => Promise<Values>) => Promise<unknown>
  onChanged: () => void
}

/** The search for the next line of an order: it adds one of a selected object, and one for each row of a pasted table. */
export const buildNextLine = <Choice extends { pk: number }>({
  getNames,
  path,
  createBody,
  add,
  onChanged,
  ...search
}: Options<Choice>): NextLine<Choice> => ({
  ...search,
  add: ({ pk }) => add(async () => createBody(pk, 1)),
  paste: (rows) =>
    pasteLines<Choice>(rows, {
      source: search.source,
      getNames,
      path,
      createBody: ({ pk }, quantity) => createBody(pk, quantity),
    }).finally(onChanged),
})

/** The same for orders whose lines are for parts. @param query selects the parts */
export const buildNextPartLine = ({
  query,
  ...options
}: Pick<Options<PartBrief>, 'path' | 'createBody' | 'add' | 'onChanged'> & {
  query: Record<string, boolean>
}): NextLine<PartBrief> =>
  buildNextLine<PartBrief>({
    ...options,
    source: {
      url: '/api/part/',
      query,
      getTitle: ({ full_name }) => full_name,
      getDetail: ({ description }) => description,
    },
    title: t('sales.add-line'),
    placeholder: t('sales.add-line-hint'),
    getNames: ({ IPN, name, full_name }) => [IPN, name, full_name],
  })
