import './style.css'
import { render } from 'preact'
import icon from './icon.svg'
import { startLanguage } from './kit/language/language.ts'
import { preserveFocus } from './kit/navigation/focus.ts'
import { handleKeys } from './kit/navigation/keys.ts'
import { handleLinks, routeLocation } from './kit/navigation/router.ts'
import { followOtherWindows, startSession, watchUnread } from './kit/service/session.ts'
import './kit/page/theme.ts'
import { trackTyping } from './kit/navigation/unsaved-input.ts'
import { registerServiceWorker } from './offline/renewal.ts'
import { findPage } from './pages.ts'
import { Shell } from './shell/shell.tsx'

// Entry point of the console, loaded by its HTML page at every path.

handleLinks()
handleKeys()
trackTyping()
preserveFocus()
watchUnread()
followOtherWindows()
// the page loads while the account is being determined; its errors are reported when it is shown
findPage(routeLocation.value.path)
  ?.load()
  .catch(() => undefined)
const session = startSession()
session.then(
  () => registerServiceWorker(import.meta.url),
  // the shell reports it once it is rendered
  () => undefined,
)
await startLanguage()
render(<Shell icon={icon} session={session} />, document.getElementById('console') as HTMLElement)
