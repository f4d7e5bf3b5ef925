import { declareIntegratorOfEvent } from '../../platform/events/event-feed-queries.ts';

/*
 * The integrator that placed the order of an event: it reads its events without `analytics` (D64). An order is looked up by its key for
 * its own events only: the branch of a case is not evaluated otherwise.
 */
declareIntegratorOfEvent(`case when type like 'order.%' and length(subject_id) = 36 then (
            select o.integrator_id from orders o
             where o.organization_id = :organizationId and o.id = subject_id::uuid) end`);
