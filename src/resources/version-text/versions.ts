/** What changed for clients with a version of the interface. */
type Change = { version: number; text: readonly string[] }

/** The versions of the interface that brought something to this service, the newest last. Of others there is nothing to tell. */
export const CHANGES: readonly Change[] = [
  {
    version: 185,
    text: ['Plugins are switched on and off at `plugins/{id}/activate/`; without a key in the address the body may name one.'],
  },
  {
    version: 196,
    text: [
      'Kinds of objects are listed at `contenttype/`.',
      'The licences of the packages that are installed are told at `license/`.',
      'Files and pieces that templates share are managed at `report/asset/` and `report/snippet/`.',
    ],
  },
]
