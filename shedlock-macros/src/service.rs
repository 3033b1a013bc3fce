//! The service that a package declares in its `Cargo.toml`:
//!
//! ```toml
//! [package.metadata.shedlock]
//! service = "settlement"
//! ```

use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::SystemTime,
};

use proc_macro2::TokenStream;
use quote::quote;
use shedlock_core::ServiceName;
use toml::de::{DeTable, DeValue};

/// The service of the package that is compiled, or why what it declares is none.
type Declared = Result<Option<ServiceName>, String>;

/// A manifest as it was read at a time: one process compiles one package, but that of an editor
/// goes on while the manifest is changed.
type Read = (PathBuf, SystemTime, Declared);

static LAST: Mutex<Option<Read>> = Mutex::new(None);

/// The service that the package declares, if it does.
pub(crate) fn declared() -> Declared {
    let Some((manifest, modified)) = manifest() else {
        return Ok(None);
    };
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    match &*last {
        Some((path, time, declared)) if *path == manifest && *time == modified => declared.clone(),
        _ => {
            let declared = read(&manifest);
            *last = Some((manifest, modified, declared.clone()));
            declared
        }
    }
}

/// Checks that the name of a lock has the prefix of the package's service.
pub(crate) fn check(lock: &str) -> Result<(), String> {
    match declared()? {
        Some(service) => service.check(lock).map_err(|foreign| foreign.to_string()),
        None => Ok(()),
    }
}

/// Once for each package, a line that has cargo compile it again when the manifest changes: of the
/// metadata alone it does not take notice.
pub(crate) fn manifest_is_an_input() -> Option<TokenStream> {
    static SAID: AtomicBool = AtomicBool::new(false);

    let is_compiling = proc_macro::is_available() && manifest().is_some();
    (is_compiling && !SAID.swap(true, Ordering::Relaxed)).then(|| {
        quote! {
            const _: &[u8] = __p::include_bytes!(__p::concat!(__p::env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        }
    })
}

/// The manifest of the package that is compiled, if cargo compiles it, and when it was changed.
fn manifest() -> Option<(PathBuf, SystemTime)> {
    let manifest = Path::new(&env::var_os("CARGO_MANIFEST_DIR")?).join("Cargo.toml");
    let modified = fs::metadata(&manifest).ok()?.modified().ok()?;
    Some((manifest, modified))
}

/// A manifest that can't be read is cargo's to complain about.
fn read(manifest: &Path) -> Declared {
    let Ok(text) = fs::read_to_string(manifest) else {
        return Ok(None);
    };
    service(&text)
}

fn service(manifest: &str) -> Declared {
    let Ok(manifest) = DeTable::parse(manifest) else {
        return Ok(None);
    };
    let metadata = ["package", "metadata", "shedlock"];
    let table = metadata
        .into_iter()
        .try_fold(manifest.get_ref(), |table, key| {
            table.get(key)?.get_ref().as_table()
        });
    let Some((key, value)) = table.and_then(|table| table.iter().next()) else {
        return Ok(None);
    };
    let declared = match (&**key.get_ref(), value.get_ref()) {
        ("service", DeValue::String(name)) => {
            ServiceName::new(&**name).map_err(|error| error.to_string())
        }
        ("service", _) => Err("`service` takes a text: `service = \"settlement\"`".to_owned()),
        (key, _) => Err(format!("unknown key `{key}`; expected `service`")),
    };
    declared
        .map(Some)
        .map_err(|error| format!("`[package.metadata.shedlock]` in Cargo.toml: {error}"))
}

#[cfg(test)]
mod tests {
    use super::{ServiceName, service};

    #[track_caller]
    fn declares(manifest: &str, expected: Option<&str>) {
        let declared = service(manifest).unwrap();
        assert_eq!(declared.as_ref().map(ServiceName::as_str), expected);
    }

    #[test]
    fn a_service_may_be_written_in_each_way_of_toml() {
        declares(
            "[package.metadata.shedlock]\nservice = \"xr\" # ours",
            Some("xr"),
        );
        declares("[package]\nmetadata.shedlock.service = 'xr'", Some("xr"));
        declares(
            "package.metadata = { shedlock = { service = \"xr\" } }",
            Some("xr"),
        );
    }

    #[test]
    fn a_package_need_not_declare_one() {
        declares("[package]\nname = \"xr\"", None);
        declares("[package.metadata.docs]\nservice = \"xr\"", None);
        declares("[package.metadata.shedlock]", None);
        declares("[workspace.metadata.shedlock]\nservice = \"xr\"", None);
    }

    #[test]
    fn a_manifest_that_is_no_toml_is_left_to_cargo() {
        declares("[package", None);
    }

    #[test]
    fn what_is_no_service_is_refused_with_its_place() {
        let refused =
            |text: &str| service(&format!("[package.metadata.shedlock]\n{text}")).unwrap_err();
        assert_eq!(
            refused("service = 5"),
            "`[package.metadata.shedlock]` in Cargo.toml: `service` takes a text: `service = \"settlement\"`"
        );
        assert!(refused("service = \"\"").ends_with("is empty; write one, such as `settlement`"));
        assert!(refused("sevrice = \"xr\"").ends_with("unknown key `sevrice`; expected `service`"));
    }
}
