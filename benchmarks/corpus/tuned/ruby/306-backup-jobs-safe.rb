# frozen_string_literal: true

module Ops
  class BackupsController < ApplicationController
    before_action :authenticate_operator!
    skip_before_action :authenticate_operator!, only: %i[status]
    protect_from_forgery with: :exception

    def index
      render json: Backup.recent.as_json(only: %i[id taken_at bytes])
    end

    def status
      render json: { last: Backup.maximum(:taken_at), running: BackupJob.running? }
    end

    def restore
      backup = Backup.complete.find(params[:id])
      RestoreJob.perform_later(backup)
      head :accepted
    end

    def destroy
      Backup.find(params[:id]).destroy!
      head :no_content
    end
  end
end
