//! The server: connections in, one thread each, at most a few dozen at once. What is answered is said in
//! `routes`.

use crate::ServeError;
use crate::http::{self, Broken, Reply};
use crate::routes;
use crate::shown::Shown;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// The port tried first where none is named.
pub const FIRST_PORT: u16 = 8737;

/// Ports tried from there on.
const PORTS: u16 = 32;

/// Most connections at once; a browser opens six.
const MOST: usize = 48;

/// How long a connection may say nothing, and how long it may take to listen.
const PATIENCE: Duration = Duration::from_secs(20);

/// A server that shows one run or scene on 127.0.0.1.
///
/// ```no_run
/// let server = drystone_serve::Server::open("runs/arch", None)?;
/// println!("http://{}", server.address());
/// server.serve();
/// # Ok::<(), drystone_serve::ServeError>(())
/// ```
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    shown: Arc<Shown>,
    stopped: Arc<AtomicBool>,
}

/// Ends a server from another thread.
#[derive(Clone, Debug)]
pub struct Stopper {
    address: SocketAddr,
    stopped: Arc<AtomicBool>,
}

impl Stopper {
    /// Ends it; answers that are under way are finished.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
        // wakes the server, which waits for a connection
        let _ = TcpStream::connect(self.address);
    }
}

impl Server {
    /// Shows a run folder, a file in it, or a scene file, on this port or, where none is named, on the first
    /// free one from [`FIRST_PORT`] on; 0 is any that is free.
    pub fn open(what: impl AsRef<Path>, port: Option<u16>) -> Result<Self, ServeError> {
        Self::show(Shown::open(what.as_ref(), false)?, port)
    }

    /// The same for a scene that may name files outside of its folder: one you trust.
    pub fn open_trusted(what: impl AsRef<Path>, port: Option<u16>) -> Result<Self, ServeError> {
        Self::show(Shown::open(what.as_ref(), true)?, port)
    }

    fn show(shown: Shown, port: Option<u16>) -> Result<Self, ServeError> {
        let shown = Arc::new(shown);
        let (port, more) = port.map_or((FIRST_PORT, PORTS), |port| (port, 0));
        let listen = |port: u16| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
        let fault = |source| ServeError::Port { port, source };
        let mut bound = listen(port);
        for next in 1..=more {
            match &bound {
                Err(error) if error.kind() == io::ErrorKind::AddrInUse => bound = listen(port + next),
                _ => break,
            }
        }
        let listener = bound.map_err(fault)?;
        let address = listener.local_addr().map_err(fault)?;
        Ok(Self { listener, address, shown, stopped: Arc::default() })
    }

    /// Where it answers.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Something to end it with.
    pub fn stopper(&self) -> Stopper {
        Stopper { address: self.address, stopped: self.stopped.clone() }
    }

    /// Answers until it is stopped.
    pub fn serve(&self) {
        let open = Arc::new(AtomicUsize::new(0));
        for stream in self.listener.incoming() {
            if self.stopped.load(Ordering::Relaxed) {
                return;
            }
            // out of handles for a moment: those who wait may close one
            let Ok(stream) = stream else {
                std::thread::sleep(Duration::from_millis(50));
                continue;
            };
            let guest = Guest::enter(open.clone(), self.shown.clone(), self.stopped.clone());
            let started =
                std::thread::Builder::new().name("viewer".into()).spawn(move || guest.answer(stream));
            drop(started);
        }
    }
}

/// One connection; counted while it lasts.
struct Guest {
    open: Arc<AtomicUsize>,
    shown: Arc<Shown>,
    stopped: Arc<AtomicBool>,
    turned_away: bool,
}

impl Guest {
    fn enter(open: Arc<AtomicUsize>, shown: Arc<Shown>, stopped: Arc<AtomicBool>) -> Self {
        let turned_away = open.fetch_add(1, Ordering::Relaxed) >= MOST;
        Self { open, shown, stopped, turned_away }
    }

    fn answer(self, stream: TcpStream) {
        let limits = [stream.set_read_timeout(Some(PATIENCE)), stream.set_write_timeout(Some(PATIENCE))];
        if limits.iter().any(Result::is_err) {
            return;
        }
        let _ = stream.set_nodelay(true);
        let _ = self.talk(&stream);
    }

    fn talk(&self, stream: &TcpStream) -> io::Result<()> {
        let (mut input, mut output) = (BufReader::new(stream), BufWriter::new(stream));
        if self.turned_away {
            let reply = Reply::refusal(503, "too many connections at once; try again");
            return http::write(&mut output, &reply, false, false);
        }
        while !self.stopped.load(Ordering::Relaxed) {
            match http::read(&mut input) {
                Ok(request) => {
                    let reply = routes::answer(&self.shown, &request);
                    http::write(&mut output, &reply, request.keep, request.method == "HEAD")?;
                    if !request.keep {
                        break;
                    }
                }
                Err(Broken::Gone) => break,
                Err(Broken::Refused(status, reason)) => {
                    http::write(&mut output, &Reply::refusal(status, reason), false, false)?;
                    output.flush()?;
                    // what it still says is read, or the system would drop the answer with the rest
                    stream.set_read_timeout(Some(Duration::from_millis(200)))?;
                    let _ = io::copy(&mut input.take(1 << 20), &mut io::sink());
                    break;
                }
            }
        }
        Ok(())
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        self.open.fetch_sub(1, Ordering::Relaxed);
    }
}
