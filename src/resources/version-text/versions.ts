/** Changes for clients in one API version. */
type Change = { version: number; text: readonly string[] }

/** API versions that changed this service, newest last. All others have no changes to report. */
export const CHANGES: readonly Change[] = [
  {
    version: 185,
    text: ['Plugins are enabled and disabled at `plugins/{id}/activate/`; without a key in the URL the body may name one.'],
  },
  {
    version: 196,
    text: [
      'Object types are listed at `contenttype/`.',
      'The licenses of the installed packages are at `license/`.',
      'Shared files and snippets of templates are managed at `report/asset/` and `report/snippet/`.',
    ],
  },
]
