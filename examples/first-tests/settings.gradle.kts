rootProject.name = "first-tests"
