import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { errorText, t } from '../../kit/language/language.ts'
import { Panel } from '../../kit/page/page.tsx'
import { ApiError, get, post } from '../../kit/service/api.ts'
import type { DemoState } from './work-lists.ts'

/** Milliseconds between requests for the progress. */
const POLL_INTERVAL_MS = 700

type Properties = {
  /** State when the page was loaded. */
  initialState: DemoState
  onLoaded: () => void
}

/** Offers the demo data, and shows the progress while it is loaded. */
export function Demo({ initialState, onLoaded }: Properties) {
  const state = useSignal(initialState)
  const problem = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  const refreshState = () =>
    get<DemoState>('/api/web/demo/').then(
      ({ body }) => {
        state.value = body
        problem.value = undefined
      },
      (error) => {
        if (!(error instanceof ApiError)) throw error
        problem.value = error.message
      },
    )
  const { status, percent, field_errors } = state.value
  useEffect(() => {
    if (status === 'done') onLoaded()
    if (status !== 'running') return
    const timer = setInterval(refreshState, POLL_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [status])
  async function loadDemoData() {
    if (isBusy.value) return
    isBusy.value = true
    try {
      state.value = (await post<DemoState>('/api/web/demo/')).body
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      problem.value = error.message
    } finally {
      isBusy.value = false
    }
  }
  if (status === 'refused' || status === 'done') return null
  const problemText = problem.value ?? field_errors.map(errorText).join(' ')
  return (
    <Panel title={t('home.demo')}>
      <p>{t('home.demo-more')}</p>
      <div role="alert">{problemText && <p class="problem">{problemText}</p>}</div>
      {status === 'available' && (
        <div class="buttons">
          <button type="button" disabled={isBusy.value} onClick={loadDemoData}>
            {t('home.demo-load')}
          </button>
        </div>
      )}
      {status === 'running' && (
        <label class="demo-progress">
          <span>
            {t('home.demo-loading')} {percent} %
          </span>
          <progress max={100} value={percent} />
        </label>
      )}
    </Panel>
  )
}
