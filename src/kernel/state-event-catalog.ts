import { count, event, id, oneOf, text } from './event-facts.ts';

/** Events of what the state is told and of what it was read to have. */
export const stateEvents = {
  'state_connection.created': event('A connection to the state was set up', { stateConnectionId: id() }),
  'state_connection.updated': event('A connection to the state changed', { stateConnectionId: id() }),
  'state_connection.probed': event('The state was asked what a connection may do', {
    stateConnectionId: id(),
  }),
  'state_comparison.asked': event('Staff asked for a comparison with the state', {
    stateComparisonId: id(12),
    stateConnectionId: id(),
  }),
  'state_comparison.finished': event('All that the state has was compared', {
    stateComparisonId: id(12),
    stateConnectionId: id(),
    differences: count,
  }),
  'state_difference.answered': event('Staff answered to a difference to the state', {
    stateConnectionId: id(),
    kind: text('more-at-state'),
    answer: oneOf('state-is-right', 'we-are-right'),
  }),
  'state_connection.filed': event('Files for the state were uploaded, or the state answered', {
    stateConnectionId: id(),
  }),
  'state_report.settled': event('Staff settled a report to the state by hand', { stateReportId: id(9) }),
} as const;
