//! Which service a scheduler belongs to, and whether its locks are the service's own.

use std::sync::Arc;

use shedlock_core::{LockName, LockProvider, Owner, ServiceName};
use tokio::time::timeout;

use crate::{
    BuildProblemKind, Event, Task, TaskDefinition,
    lifecycle::Lifecycle,
    problem::{Problems, TaskLocation},
};

/// The service as the application names it, else as the packages of all tasks that have one do.
pub(crate) fn of(
    named: Option<&Arc<str>>,
    definitions: &[TaskDefinition],
    problems: &mut Problems,
) -> Option<ServiceName> {
    let name = match named {
        Some(named) => Arc::clone(named),
        None => declared(definitions, problems)?.into(),
    };
    ServiceName::new(name)
        .map_err(|error| problems.push(BuildProblemKind::Service(error)))
        .ok()
}

fn declared(definitions: &[TaskDefinition], problems: &mut Problems) -> Option<&'static str> {
    let mut declared = definitions
        .iter()
        .filter_map(|definition| Some((definition, definition.service?)));
    let (first, service) = declared.next()?;
    if let Some((other, other_service)) = declared.find(|(_, other)| *other != service) {
        problems.push_of(
            &TaskLocation::of(other),
            BuildProblemKind::TwoServices {
                service: other_service,
                other: TaskLocation::of(first),
                other_service: service,
            },
        );
    }
    Some(service)
}

pub(crate) fn check_locks(service: &ServiceName, tasks: &[Task], problems: &mut Problems) {
    for task in tasks {
        let Some(lock) = &task.lock else {
            continue;
        };
        if let Err(foreign) = service.check(lock.name().as_str()) {
            problems.push_of(&task.location(), foreign);
        }
    }
}

impl Lifecycle {
    /// Tells of each lock that another service used last. What can't be found out is no reason not
    /// to run.
    pub(crate) async fn tell_foreign_locks(&self) {
        let (Some(executor), Some(service)) = (&self.executor, &self.service) else {
            return;
        };
        let provider = executor.provider();
        let told = async {
            for job in self.plan.jobs() {
                let Some(lock) = &job.lock else {
                    continue;
                };
                let name = lock.configuration.name();
                let Ok(last_holder) = provider.last_holder(name).await else {
                    return;
                };
                if let Some(event) = foreign(service, name, last_holder) {
                    self.plan.runner().emit(&event);
                }
            }
        };
        let _ = timeout(self.store_timeout, told).await;
    }
}

/// Java nodes, and nodes without a name, are no other service.
fn foreign(service: &ServiceName, lock: &LockName, last_holder: Option<String>) -> Option<Event> {
    let locked_by = last_holder?;
    let other = Owner::service_in(&locked_by)?;
    (other != service.as_str()).then(|| Event::ForeignLock {
        lock: lock.clone(),
        service: other.to_owned(),
        locked_by: locked_by.clone(),
    })
}
