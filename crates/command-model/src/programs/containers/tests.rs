//! Command lines, what they do and what they run inside.

use crate::programs::text_carriers::testing::check;

#[test]
fn commands_inside() {
    check(&[
        (
            "docker run --rm -v /:/host alpine rm -rf /host",
            "service docker run alpine; service docker mount-root; run{rm -rf /host} dir? home? @container(/:/host rm)",
        ),
        (
            "docker run -it --name x -p 80:80 -e A=1 -v vol:/data -w /app img sh -c 'rm a'",
            "service docker run img; run{sh -c rm a} A=1 dir=/app home? @container()",
        ),
        (
            "docker run --mount type=bind,source=/w,target=/x img rm /x/a",
            "service docker run img; run{rm /x/a} dir? home? @container(/w:/x)",
        ),
        ("docker run -v \"$X:/x:ro\" img ls", "service docker run img; run{ls} dir? home? @container(${X}:/x)"),
        ("docker run -v \"$X\" img ls", "service docker run img; run{ls} dir? home? @container(?)"),
        ("docker run --mount \"type=bind,src=$X,dst=/w\" img ls", "service docker run img; run{ls} dir? home? @container(${X}:/w)"),
        ("docker run --entrypoint rm img -rf /x", "service docker run img; run{rm -rf /x} dir? home? @container()"),
        ("docker run img -x", "service docker run img"),
        ("docker run --privileged=false img", "service docker run img"),
        ("docker run --privileged img", "service docker run img; service docker privileged"),
        ("docker run --env-file .env img", "service docker run img; service docker env-file .env; use .env"),
        ("docker container run --rm img ls", "service docker run img; run{ls} dir? home? @container(rm)"),
        ("docker exec web rm -rf /var/cache/x", "service docker exec web; run{rm -rf /var/cache/x} dir? home? @container(?)"),
        ("podman exec -it -u root web bash -c 'rm a'", "service docker exec web; run{bash -c rm a} dir? home? @container(?)"),
        ("docker compose -f c.yml run --rm -T web rm a", "service docker run web; run{rm a} dir? home? @container(rm ?)"),
        ("docker-compose exec web ls", "service docker exec web; run{ls} dir? home? @container(?)"),
        ("kubectl exec -it -n x web -c app -- rm -rf /", "service kubectl exec web; run{rm -rf /} dir? home? @container(?)"),
        ("kubectl run x --rm -it --image=i -- sh", "service kubectl run x; run{sh} dir? home? @container(rm)"),
        ("oc rsh web ls", "service kubectl exec web; run{ls} dir? home? @container(?)"),
        ("lxc exec box -- rm -rf /", "run{rm -rf /} dir? home? @container(?)"),
        ("lxc-attach -n box -- rm a", "run{rm a} dir? home? @container(?)"),
        ("distrobox enter box -- rm -rf ~", "run{rm -rf ~} @container(/home:/home /tmp:/tmp /:/run/host)"),
        ("toolbox run -c box rm a", "run{rm a} @container(/home:/home /tmp:/tmp /:/run/host)"),
    ]);
}

#[test]
fn operations() {
    check(&[
        ("docker ps -a", "service docker read"),
        ("docker --context x logs -f web", "service docker read web"),
        ("docker build -t x .", "service docker build ."),
        ("docker volume rm data", "service docker volume-delete data"),
        ("docker volume prune -f", "service docker volume-delete"),
        ("docker volume ls", "service docker read"),
        ("docker system prune -a --volumes", "service docker system-prune-volumes"),
        ("docker system prune", "service docker system-prune"),
        ("podman system reset", "service docker system-reset"),
        ("docker rm -f web", "service docker remove-container force web"),
        ("docker rm -f $(docker ps -aq)", "service docker remove-all-containers force $(…)"),
        ("docker rm -v web", "service docker volume-delete web; service docker remove-container web"),
        ("docker image prune -a", "service docker image-prune-all"),
        ("docker rmi x", "service docker remove-image x"),
        ("docker compose down -v", "service docker compose-down-volumes"),
        ("docker compose down", "service docker compose-down"),
        ("docker compose --dry-run down -v", "service docker read"),
        ("docker compose config", "service docker compose-config"),
        ("docker --config d ps", "use d; service docker read"),
        ("docker frobnicate", "unknown docker frobnicate"),
        ("docker $X y", "structure"),
        ("docker run --help", "inert"),
        ("docker --version", "inert"),
        ("kubectl get pods", "service kubectl read pod"),
        ("kubectl get secret x -o yaml", "service kubectl get-secret secret/x"),
        ("kubectl get secrets", "service kubectl read secret"),
        ("kubectl delete ns prod", "service kubectl delete namespace/prod"),
        ("kubectl -n x delete po/a svc/b", "service kubectl delete pod/a service/b"),
        ("kubectl delete pods --all", "service kubectl delete-all pod"),
        ("kubectl delete -f x.yml", "service kubectl delete file/x.yml"),
        ("kubectl delete pod a --dry-run=client", "service kubectl read pod/a"),
        ("kubectl drain n --force", "service kubectl drain-force n"),
        ("kubectl scale deploy/x --replicas=0", "service kubectl scale-zero deployment/x"),
        ("kubectl replace --force -f x", "service kubectl replace-force file/x"),
        ("kubectl apply -f x", "service kubectl apply file/x"),
        ("kubectl --kubeconfig k config view --raw", "use k; service kubectl get-secret view"),
        ("lxc delete box", "service lxc delete box"),
    ]);
}
